import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cpuMs } from "../../../test/support/cpu-clock.ts";
import { DIALECTS, type Dialect } from "./dialect.ts";
import { readContract } from "./read.ts";

const schema = z.object({ status: z.string() });
const NONCE = "n7";
const SMALL = 16_000;

/** Eight times the text may take eight times as long; quadratic reading would take 64 times. */
const FACTOR = 8;
const BOUND = 32;
/** Shorter times measure the clock and the scheduler. */
const NOISE_MS = 4;

const repeat = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length));
const hostile: Readonly<Record<string, (size: number) => string>> = {
  "marks on one letter": (size) => `a${"\u0301\u0316".repeat(size / 2)}`,
  "marks in sorted halves": (size) => `a${"\u0301".repeat(size / 2)}${"\u0316".repeat(size / 2)}`,
  "open braces": repeat("{\n"),
  "open braces below each other": repeat('{"nonce":"n7",\n'),
  "open quotes": repeat('{"\n'),
  backslashes: (size) => `{"nonce":"n7","a":"${"\\".repeat(size)}`,
  "empty objects": repeat("{}\n"),
  "spaces and braces": (size) => `${" ".repeat(size)}{`,
  "blank lines": repeat("\n"),
  "blank lines in a block": (size) => `completion:\n  nonce: n7\n  a: |\n${"\n".repeat(size)}x`,
  headings: repeat("### Orchestrator Contract\n"),
  "sections with a quoted nonce": repeat("### Orchestrator Contract\n- Nonce: n8\n- x\n"),
  "one section of many fields": (size) => `### Orchestrator Contract\n- Nonce: n7\n${"- A b: c\n".repeat(size / 9)}`,
  "one list of many items": (size) =>
    `### Orchestrator Contract\n- Nonce: n7\n- Status:\n${"  - c\n".repeat(size / 6)}`,
  completions: repeat("completion:\n  nonce: n8\n"),
  "completions that mention it": repeat("completion:\n  nonce: n8\n  a: n7\n"),
  mappings: repeat("nonce: n8\na: n7\n\n"),
  "one mapping of many keys": (size) =>
    `nonce: n7\n${Array.from({ length: size / 16 }, (_, at) => `k${at}: 1`).join("\n")}`,
  "broken YAML": (size) => `nonce: n7\na: "${"\\q".repeat(size / 2)}"`,
  fences: repeat("```\n"),
  "long fences": (size) => "`".repeat(size),
  lines: repeat("DONE[n7]: x\n"),
  "open lines": (size) => `DONE[${"n7".repeat(size / 2)}`,
  "one long line": (size) => `DONE[n7]: ${" ".repeat(size)}x`,
};

describe("reading takes time in proportion to the text", () => {
  const cases = DIALECTS.flatMap((dialect) => Object.keys(hostile).map((name) => [dialect, name] as const));
  it.each(cases)("%s: %s", (dialect, name) => {
    const build = hostile[name] ?? repeat(name);
    // Nothing would be read without the nonce.
    const once = fastest(dialect, `${NONCE}\n${build(SMALL)}`);
    const more = fastest(dialect, `${NONCE}\n${build(SMALL * FACTOR)}`);
    expect(more).toBeLessThan(BOUND * Math.max(once, NOISE_MS));
  });
});

function fastest(dialect: Dialect, text: string): number {
  const times = [1, 2, 3].map(() => {
    const start = cpuMs();
    readContract({ dialect, text, nonce: NONCE, schema });
    return cpuMs() - start;
  });
  return Math.min(...times);
}
