import { collectTests, type NamedTest } from "./named-tests.ts";
import { readCargoTotals } from "./summary-lines.ts";
import type { End, Reading } from "./tally.ts";

const RESULT = /^test (\S.{0,900}?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/;
const ENDS: Readonly<Record<string, End>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

/**
 * Reads Cargo's output: a line per test and one per test program. Names are used only if there are as many as the
 * totals say.
 */
export function readCargo(text: string): Reading | undefined {
  const totals = readCargoTotals(text);
  if (!totals) return undefined;
  const reading = collectTests(parseCargoTests(text));
  const same = (["passed", "failed", "skipped"] as const).every((end) => reading[end] === totals[end]);
  return same ? reading : totals;
}

/** Reads only between `running 3 tests` and the result, because the output of tests follows `failures:`. */
function* parseCargoTests(text: string): Generator<NamedTest> {
  let running = false;
  for (const line of text.split("\n")) {
    if (/^running \d{1,9} tests?$/.test(line)) running = true;
    else if (line === "failures:" || line.startsWith("test result: ")) running = false;
    if (!running || line.length > 1000) continue;
    const [, name = "", word = ""] = RESULT.exec(line) ?? [];
    const end = ENDS[word];
    if (end) yield { path: name.split("::"), end };
  }
}
