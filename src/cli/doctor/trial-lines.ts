import { isTestCommand } from "../../core/checks/detect/test-command.ts";
import { formatTestCounts } from "../../core/checks/outcome/explain-check.ts";
import { hasTests } from "../../core/checks/outcome/preflight-notes.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { keepUnbroken, wrapCommandText } from "../output/command-text.ts";
import { isUnfit, type Trial, type TrialRequest, type TriedCheck } from "./trial.ts";

/** Announces a trial, which may take minutes. */
export function announceTrial({ paint }: Call, { commands, setup }: Pick<TrialRequest, "commands" | "setup">): string {
  const names = [...(setup ? ["set-up"] : []), ...commands.map(({ name }) => name)];
  return paint.dim(`trying ${names.join(", ")} on a clean checkout of HEAD …`);
}

/** Returns a function that prints progress. JSON output has only the result. */
export function createTrialPrinter({ json, paint, print }: Call): (line: string) => void {
  return (line) => {
    if (!json) print(paint.dim(`  ${line}`));
  };
}

/** Lists each command with its result and, below a command that could not run, its fix. */
export function formatTrial({ paint, width }: Call, { preparedMs, setup, checks, printed }: Trial): readonly string[] {
  const isNotPrepared = ({ because }: Trial["checks"][number]): boolean => because.startsWith("the set-up failed");
  // One failed part is enough: commands of other parts still run with what those prepared.
  const unprepared = checks.find(isNotPrepared);
  const head: readonly TrialRow[] = setup
    ? [
        {
          glyph: unprepared ? "✗" : "✓",
          name: "set-up",
          time: formatDuration(unprepared ? unprepared.ms : preparedMs),
          says: unprepared ? toOneLine(unprepared.because, 280) : keepUnbroken(toOneLine(setup.run, 100)),
        },
      ]
    : [];
  const silent = findUntestedChecks(checks);
  const rows: readonly TrialRow[] = [
    ...head,
    ...checks.map((each) => ({
      glyph: chooseTrialGlyph(each),
      name: each.name,
      time: isNotPrepared(each) ? "" : formatDuration(each.ms),
      says: isNotPrepared(each)
        ? "not-run: the set-up failed"
        : silent.includes(each)
          ? UNTESTED
          : describeTriedCheck(each),
    })),
  ];
  const colour = { "✓": paint.green, "✗": paint.red, "!": paint.yellow };
  const lines = formatTable(
    rows.map(({ glyph, name, time, says }) => [
      { text: glyph, painted: colour[glyph](glyph) },
      { text: name },
      { text: time },
      { text: says },
    ]),
  );
  const cures = [...new Set(checks.filter(isUnfit).map(({ cure }) => cure.join("\n")))];
  const cured = cures.flatMap((cure) => cure.split("\n").map((line) => `    ${paint.cyan(line)}`));
  const hints = silent.length > 0 ? wrapCommandText(`    ${paint.cyan(READABLE)}`, { width, indent: 4 }) : [];
  const whole = printed.map((file) => `    ${paint.dim(`full output: ${file}`)}`);
  return [...lines.flatMap((line) => wrapCommandText(line, { width, indent: 4 })), ...whole, ...hints, ...cured];
}

const UNTESTED = "passed without reporting tests; a run here ends with that caveat";
const READABLE =
  "fix: use a test runner whose report can be read (node --test, Vitest, Jest, Mocha, AVA, pytest, unittest, go test, Cargo, Maven, Gradle, or one that prints TAP or JUnit): see docs/reference/evidence.md, tests by name";

/**
 * Finds checks that passed without reporting tests, if no check reported any. If there are test commands, only those
 * count.
 */
export function findUntestedChecks(checks: readonly TriedCheck[]): readonly TriedCheck[] {
  if (checks.some(hasTests)) return [];
  const passed = checks.filter(({ outcome }) => outcome === "passed");
  const tests = passed.filter(isTestCommand);
  return tests.length > 0 ? tests : passed;
}

type Glyph = "✓" | "✗" | "!";
type TrialRow = { readonly glyph: Glyph; readonly name: string; readonly time: string; readonly says: string };

function chooseTrialGlyph({ outcome }: TriedCheck): Glyph {
  return outcome === "passed" ? "✓" : outcome === "not-run" ? "✗" : "!";
}

/** Describes the result. A failing command does not block runs: it is the baseline that work is compared with. */
function describeTriedCheck({ outcome, because, tests }: TriedCheck): string {
  const word = outcome === "failed" ? "red before any change" : outcome;
  const source = tests ? ` (${tests.asked ? "requested" : "printed"}: ${tests.source})` : "";
  const counted = [word, `${formatTestCounts(tests)}${source}`.trim()].filter(Boolean).join(", ");
  return because ? `${counted}: ${toOneLine(because, 200)}` : counted;
}
