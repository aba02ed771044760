import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Observations } from "../src/core/authoring/observations.ts";
import type { PhaseSpec } from "../src/core/authoring/phases.ts";
import type { PipelineSpec } from "../src/core/authoring/pipeline.ts";
import type { RoleSpec, Verdict } from "../src/core/authoring/role.ts";
import type {
  ActOptions,
  CheckOptions,
  CommitOptions,
  DispatchOptions,
  LoopOptions,
  ParallelOptions,
  Question,
  Verbs,
  WriteOptions,
} from "../src/core/authoring/verbs.ts";

const PAGE = readFileSync(resolve(import.meta.dirname, "../docs/guides/write-a-pipeline.md"), "utf8");

/** Exactly the keys of a type: a missing or extra key does not compile. */
type KeyTable<T> = Record<keyof T, true>;
const listKeys = <T>(keys: KeyTable<T>): string[] => Object.keys(keys);

/** Maps the name in the first column to the row, for each row below a heading. */
function parseRows(heading: string): Map<string, string> {
  const [, text = ""] = PAGE.split(`\n## ${heading}\n`);
  const rows = (text.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z]\w*)[^|]*\|.*$/gim);
  return new Map([...rows].map(([row, name = ""]) => [name, row]));
}

const listMissingNames = (row: string | undefined, names: readonly string[]): string[] =>
  names.filter((name) => !new RegExp(`\\b${name}\\b`).test(row ?? ""));

describe("docs/guides/write-a-pipeline.md", () => {
  test("has a row for every field of a pipeline's declaration", () => {
    const fields = listKeys<PipelineSpec<unknown>>({
      name: true,
      does: true,
      about: true,
      version: true,
      input: true,
      dialect: true,
      phases: true,
      cap: true,
      retry: true,
      loops: true,
      excludes: true,
      looksAt: true,
      documents: true,
      needs: true,
      policy: true,
    });
    const rows = parseRows("The declaration");
    // The former name of `does` is in its row.
    expect([...rows.keys()].sort()).toEqual(fields.filter((field) => field !== "about").sort());
    expect(listMissingNames(rows.get("does"), ["about"])).toEqual([]);
    expect(listMissingNames(rows.get("phases"), listKeys<PhaseSpec>({ title: true, roles: true, next: true }))).toEqual(
      [],
    );
  });

  const verbs = listKeys<Omit<Verbs<unknown>, "input" | "run">>({
    phase: true,
    skip: true,
    agent: true,
    attempt: true,
    parallel: true,
    together: true,
    within: true,
    loop: true,
    announce: true,
    check: true,
    gate: true,
    ask: true,
    pause: true,
    see: true,
    write: true,
    act: true,
    note: true,
    merge: true,
    commit: true,
    end: true,
  });

  test("has a row for exactly the verbs", () => {
    expect([...parseRows("The verbs").keys()].sort()).toEqual(verbs.sort());
  });

  test.each<[string, string[]]>([
    [
      "agent",
      listKeys<DispatchOptions>({
        as: true,
        task: true,
        in: true,
        base: true,
        writes: true,
        outside: true,
        delivers: true,
        retry: true,
      }),
    ],
    ["parallel", listKeys<ParallelOptions<unknown>>({ key: true, atLeast: true, cap: true })],
    ["loop", listKeys<LoopOptions>({ max: true, stop: true })],
    [
      "check",
      listKeys<CheckOptions>({
        task: true,
        baseline: true,
        declared: true,
        commands: true,
        cwd: true,
        asks: true,
        recordedAs: true,
        phase: true,
      }),
    ],
    [
      "ask",
      listKeys<Question<string>>({
        title: true,
        show: true,
        choices: true,
        auto: true,
        words: true,
        revises: true,
        leads: true,
        brief: true,
        announces: true,
        paths: true,
        accepts: true,
        tree: true,
        about: true,
      }),
    ],
    ["write", listKeys<WriteOptions>({ to: true, ifHash: true, lenient: true, undo: true })],
    ["act", listKeys<ActOptions>({ retry: true, timeoutMs: true })],
    [
      "commit",
      listKeys<CommitOptions>({
        message: true,
        because: true,
        declared: true,
        assumed: true,
        branch: true,
        parent: true,
        caveats: true,
      }),
    ],
  ])("names every option of %s in its row", (verb, options) => {
    expect(listMissingNames(parseRows("The verbs").get(verb), options)).toEqual([]);
  });

  test("has a row for every observation, with every argument", () => {
    type ArgTable<Args> = Args extends undefined ? Record<string, never> : KeyTable<Args>;
    const seen: { [K in keyof Observations]: ArgTable<Observations[K]["args"]> } = {
      head: {},
      checkout: {},
      runs: {},
      policy: {},
      startup: {},
      now: {},
      uuid: {},
      file: { path: true, in: true },
      files: { under: true, in: true, ignored: true },
      changes: { from: true, to: true },
      diff: { from: true, to: true, only: true },
      branch: { name: true },
      has: { in: true },
      dirt: { paths: true },
    };
    const rows = parseRows("What can be seen");
    rows.delete("see");
    expect([...rows.keys()].sort()).toEqual(Object.keys(seen).sort());
    const lacking = Object.entries(seen).map(([name, args]) => [
      name,
      listMissingNames(rows.get(name), Object.keys(args)),
    ]);
    expect(lacking.filter(([, args]) => args?.length)).toEqual([]);
  });

  test("has a row for every field of a role, and names every field of a verdict", () => {
    const fields = listKeys<RoleSpec<unknown, boolean>>({
      name: true,
      does: true,
      prompt: true,
      protocol: true,
      aliases: true,
      input: true,
      untold: true,
      contract: true,
      writes: true,
      documents: true,
      signed: true,
      fails: true,
      verdict: true,
      revises: true,
      rows: true,
    });
    expect([...parseRows("Roles").keys()].sort()).toEqual(fields.sort());
    const verdict = listKeys<Verdict>({
      passed: true,
      about: true,
      word: true,
      severity: true,
      because: true,
      tree: true,
    });
    const paragraph = /^A verdict is [\s\S]*?\n\n/m.exec(PAGE)?.[0];
    expect(listMissingNames(paragraph, verdict)).toEqual([]);
  });
});
