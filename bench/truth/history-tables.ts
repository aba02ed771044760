import { percentile } from "../figure.ts";
import type { Repository } from "./corpus.ts";
import { formatShare } from "./interval.ts";
import { type Cell, escapeText, formatCommit, formatTable, stripFolders } from "./markdown.ts";
import type { Row } from "./row.ts";
import { CLASSES } from "./subject.ts";

/** Outcomes of honest commits by class, author and language. */
export function formatOutcomes(honest: readonly Row[], repositories: readonly Repository[]): readonly string[] {
  const ran = honest.filter(isRunnable);
  const languages = new Map(repositories.map((each) => [each.name, findLanguage(each)]));
  const groups: readonly (readonly [string, readonly Row[]])[] = [
    ...CLASSES.map((kind) => [kind, ran.filter((row) => row.kind === kind)] as const),
    ["JavaScript and TypeScript", ran.filter(({ repo }) => languages.get(repo) === "JavaScript")],
    ["Python", ran.filter(({ repo }) => languages.get(repo) === "Python")],
    ["by agents", ran.filter(({ source }) => source === "agents")],
    ["**fixes and features**", ran.filter(({ kind }) => kind === "fix" || kind === "feature")],
    ["**without breaking changes**", ran.filter(({ kind }) => kind !== "breaking")],
    ["**all**", ran],
  ];
  return formatTable(
    ["commits", "n", "committed", "asked", "refused", "asked, of n", "false refusals"],
    groups.filter(([, rows]) => rows.length > 0).map(([name, rows]) => toCells(name, rows)),
  );
}

function toCells(name: string, rows: readonly Row[]): readonly Cell[] {
  const count = (outcome: Row["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  const asked = formatShare(count("asked"), rows.length);
  const refusals = formatShare(rows.filter(isFalseRefusal).length, rows.length);
  return [name, rows.length, count("committed"), count("asked"), count("refused"), asked, refusals];
}

/** The commit passes its own commands without the engine, so the refusal is a mistake of the engine. */
export function isFalseRefusal({ outcome, alone }: Row): boolean {
  return outcome === "refused" && alone !== false;
}

export const isRunnable = ({ outcome }: Row): boolean => outcome !== "not runnable";
const isStopped = ({ outcome }: Row): boolean => outcome === "asked" || outcome === "refused";

/** Separates questions that only a person can decide from the others. */
export function explainQuestions(honest: readonly Row[]): readonly string[] {
  const n = honest.filter(isRunnable).length;
  const asked = honest.filter(({ outcome }) => outcome === "asked");
  const changing = asked.filter(({ kinds }) => kinds.includes("old tests named"));
  return [
    "Aim: at most 15 % asked. An old test fails on the new code, so that a person has to decide, on",
    `${formatShare(changing.length, n)}; other reasons alone lead to a question on ${formatShare(asked.length - changing.length, n)}.`,
    "",
  ];
}

/** Plain labels for kinds whose stored name is short. */
const LABELS: Readonly<Record<string, string>> = {
  "old tests named": "an old test fails on the new code",
  "no red test": "no test fails without the change",
  "workflow changed": "a CI workflow changed",
  "either half": "unclear whether a file is test or source",
  "lost tests": "a test or an assertion is lost",
  loosened: "the changed test passes on the old code too",
  inseparable: "one file holds settings of tests and of code",
  "what lies around": "the result depends on surrounding files",
  "edited test": "a red test passes only because it was edited",
};

const toLabel = (kind: string): string => LABELS[kind] ?? kind;

/** How many commits each kind of question concerns. */
export function formatReasons(honest: readonly Row[]): readonly string[] {
  const stopped = honest.filter(isStopped);
  const reasons = stopped.flatMap((row) => row.kinds.map((kind) => `${row.outcome}: ${toLabel(kind)}`));
  const counts = [...Map.groupBy(reasons, (reason) => reason)].sort(([, a], [, b]) => b.length - a.length);
  const n = honest.filter(isRunnable).length;
  return formatTable(
    ["reason", "commits, of all that ran"],
    counts.map(([reason, each]) => [reason, formatShare(each.length, n)]),
  );
}

/** TypeScript counts as JavaScript: only the test command decides. */
export function findLanguage({ commands }: Repository): "JavaScript" | "Python" {
  return commands.some(({ run }) => /\b(?:pytest|unittest)\b/.test(run)) ? "Python" : "JavaScript";
}

/** Time of the exam compared with the time of the project's own commands on the same commits. */
export function formatCosts(honest: readonly Row[], repositories: readonly Repository[]): readonly string[] {
  const languages = new Map(repositories.map((each) => [each.name, findLanguage(each)]));
  const timed = honest.filter((row) => isRunnable(row) && row.examMs > 0);
  const groups = [...Map.groupBy(timed, ({ repo }) => languages.get(repo) ?? "")];
  return formatTable(
    ["language", "commits", "commands, p50", "exam, p50", "exam / commands, p50 (p90)"],
    [...groups, ["**all**", timed] as const].map(([name, rows]) => [name, ...measureCosts(rows)]),
  );
}

function measureCosts(rows: readonly Row[]): readonly Cell[] {
  const at = (part: number, measure: (row: Row) => number) => percentile(rows.map(measure), part);
  const toSeconds = (measure: (row: Row) => number) => `${(at(0.5, measure) / 1_000).toFixed(1)} s`;
  const ratio = (row: Row) => row.examMs / row.commandsMs;
  const ratios = `${at(0.5, ratio).toFixed(2)} (${at(0.9, ratio).toFixed(2)})`;
  return [rows.length, toSeconds((row) => row.commandsMs), toSeconds((row) => row.examMs), ratios];
}

export function formatAlarms(honest: readonly Row[]): readonly string[] {
  const lines = honest
    .filter(isStopped)
    .map((row) => `- ${formatCommit(row)}: ${row.outcome}, ${row.kinds.map(toLabel).join(", ")}`);
  return [...(lines.length > 0 ? lines : ["None."]), ""];
}

/** Commits that could not be judged, by reason. */
export function formatUnrunnable(honest: readonly Row[]): readonly string[] {
  const rows = honest.filter((row) => !isRunnable(row));
  const groups = Map.groupBy(rows, ({ repo, told }) => `${repo}: ${escapeText(stripFolders(told.join(" ")), 160)}`);
  return [...groups].map(([reason, each]) => `- ${each.length} × ${reason}`);
}
