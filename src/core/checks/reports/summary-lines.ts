import { splitPlainLines } from "./plain-lines.ts";
import type { Tally } from "./tally.ts";

/** Reads pytest's last line, `2 failed, 3 passed in 0.12s`, with or without the surrounding rule. */
export function readPytest(text: string): Tally | undefined {
  return sum(splitPlainLines(text), (line) => {
    const bare = line.replaceAll("=", "").trim();
    const end = bare.lastIndexOf(" in ");
    if (end < 0 || !/^\d{1,9}(?:\.\d+)?s/.test(bare.slice(end + 4))) return undefined;
    const said = bare.slice(0, end);
    return said === "no tests ran" ? [] : parseCounts(said.split(", "));
  });
}

/** Adds up Cargo's lines, one per test program. */
export function readCargoTotals(text: string): Tally | undefined {
  return sum(splitPlainLines(text), (line) => {
    if (!line.startsWith("test result: ")) return undefined;
    const start = line.indexOf(". ");
    return start < 0 ? undefined : parseCounts(line.slice(start + 2).split("; "));
  });
}

/**
 * Reads the closing line of Vitest (`Tests  1 failed | 2 passed (3)`) and Jest (`Tests: 1 failed, 2 passed, 3 total`).
 */
export function readSummary(text: string): Tally | undefined {
  return sum(splitPlainLines(text), (line) => {
    if (!/^Tests?:? /.test(line)) return undefined;
    const said = line.replace(/^Tests?:? +/, "");
    if (said === "no tests") return [];
    const vitest = /^([^()]+?) \(\d{1,9}\)$/.exec(said)?.[1];
    if (vitest !== undefined) return parseCounts(vitest.split(" | "));
    return / total$/.test(said) ? parseCounts(said.split(", ")) : undefined;
  });
}

type CountList = readonly (readonly [number, keyof Tally])[];

/** Words of the programs. Known words that count no test are included, so that an unknown line is detected. */
const WORDS: ReadonlyMap<string, keyof Tally | undefined> = new Map([
  ["passed", "passed"],
  ["xpassed", "passed"],
  ["failed", "failed"],
  ["error", "failed"],
  ["errors", "failed"],
  ["skipped", "skipped"],
  ["xfailed", "skipped"],
  ["ignored", "skipped"],
  ["pending", "skipped"],
  ["todo", "skipped"],
  ["deselected", undefined],
  ["warning", undefined],
  ["warnings", undefined],
  ["rerun", undefined],
  ["measured", undefined],
  ["filtered out", undefined],
  ["total", undefined],
]);

/** Undefined unless every part is a number and a known word. */
function parseCounts(parts: readonly string[]): CountList | undefined {
  const found: [number, keyof Tally][] = [];
  for (const part of parts) {
    if (part.startsWith("finished in ")) continue;
    const [, count, word = ""] = /^(\d{1,9}) ([a-z ]+)$/.exec(part.trim()) ?? [];
    if (!WORDS.has(word)) return undefined;
    const name = WORDS.get(word);
    if (name) found.push([Number(count), name]);
  }
  return found;
}

function sum(lines: readonly string[], read: (line: string) => CountList | undefined): Tally | undefined {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  let seen = false;
  for (const line of lines) {
    const found = read(line);
    if (!found) continue;
    seen = true;
    for (const [count, name] of found) tally[name] += count;
  }
  return seen ? tally : undefined;
}
