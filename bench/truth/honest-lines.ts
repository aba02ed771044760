import { percentile } from "../figure.ts";
import { share } from "./interval.ts";
import type { Row } from "./row.ts";
import { CLASSES } from "./subject.ts";

/** Alarms by source and class, with and without a declaration. */
export function honestLines(honest: readonly Row[]): readonly string[] {
  const runnable = honest.filter(isRunnable);
  const line = (name: string, rows: readonly Row[]) => {
    const count = (outcome: Row["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
    const counts = [rows.length, count("committed"), count("asked"), count("refused")].join(" | ");
    return `| ${name} | ${counts} | ${alarms(rows, isAlarm)} | ${alarms(rows, isAlarmUndeclared)} |`;
  };
  const groups = SOURCES.flatMap((source) =>
    CLASSES.map((kind) => ({ name: `${source}, ${kind}`, rows: runnable.filter(of(source, kind)) })),
  );
  return [
    "| written by, class | n | committed | asked | refused | false alarms | without `declared` |",
    "|---|---|---|---|---|---|---|",
    ...groups.filter(({ rows }) => rows.length > 0).map(({ name, rows }) => line(name, rows)),
    line("**all**", runnable),
    line(
      "**all whose subject announces no change of behaviour**",
      runnable.filter(({ kind }) => kind !== "breaking"),
    ),
    "",
    `Not runnable, and in no count: ${honest.length - runnable.length} of ${honest.length} commits.`,
    "",
  ];
}

const SOURCES = ["people", "agents"] as const;

const of = (source: Row["source"], kind: Row["kind"]) => (row: Row) => row.source === source && row.kind === kind;
const isRunnable = ({ outcome }: Row): boolean => outcome !== "not runnable";
const isAlarm = ({ outcome }: Row): boolean => outcome === "asked" || outcome === "refused";
const isAlarmUndeclared = (row: Row): boolean => isAlarm(row) && row.kinds.some((kind) => kind !== "no red test");

function alarms(rows: readonly Row[], counts: (row: Row) => boolean): string {
  return share(rows.filter(counts).length, rows.length);
}

/** Which doubts they were. */
export function doubtLines(honest: readonly Row[]): readonly string[] {
  const stopped = honest.filter(isAlarm);
  const kinds = [...new Set(stopped.flatMap((row) => row.kinds.map((kind) => `${row.outcome}: ${kind}`)))].sort();
  const n = honest.filter(isRunnable).length;
  const lines = kinds.map((name) => {
    const k = stopped.filter((row) => row.kinds.some((kind) => `${row.outcome}: ${kind}` === name)).length;
    return `| ${name} | ${share(k, n)} |`;
  });
  return ["| why | commits, of all that ran |", "|---|---|", ...lines, ""];
}

/** What the exam adds to the runs of the commands on both trees, commit by commit. */
export function overheadLines(honest: readonly Row[], languages: ReadonlyMap<string, string>): readonly string[] {
  const timed = honest.filter((row) => isRunnable(row) && row.examMs > 0);
  const lines = [...Map.groupBy(timed, ({ repo }) => repo)].map(([repo, rows]) => `| ${repo} | ${costOf(rows)} |`);
  return [
    "The exam's wall time beside that of the commands on baseline and work, on the same commits; set-up is in both.",
    "",
    "| repository | commits | commands, p50 | exam, p50 | exam / commands, p50 (p90) |",
    "|---|---|---|---|---|",
    ...lines,
    ...[...Map.groupBy(timed, ({ repo }) => languages.get(repo))].map(
      ([language, rows]) => `| **${language}** | ${costOf(rows)} |`,
    ),
    `| **all** | ${costOf(timed)} |`,
    "",
  ];
}

function costOf(rows: readonly Row[]): string {
  const at = (part: number, of: (row: Row) => number) => percentile(rows.map(of), part);
  const seconds = (of: (row: Row) => number) => `${(at(0.5, of) / 1_000).toFixed(1)} s`;
  const ratio = (row: Row) => row.examMs / row.commandsMs;
  const ratios = `${at(0.5, ratio).toFixed(2)} (${at(0.9, ratio).toFixed(2)})`;
  return [rows.length, seconds((row) => row.commandsMs), seconds((row) => row.examMs), ratios].join(" | ");
}

export function alarmLines(honest: readonly Row[]): readonly string[] {
  const lines = honest.filter(isAlarm).map((row) => `- ${named(row)} **${row.kinds.join(", ")}**: ${toldOf(row)}`);
  return [...(lines.length > 0 ? lines : ["None."]), ""];
}

/** Commit, class and subject, as a line of a list begins. */
export function named({ repo, hash, kind, source, subject }: Row): string {
  const who = source === "agents" ? ", by an agent" : "";
  return `${repo} ${hash.slice(0, 8)} (${kind}${who}) "${plain(subject, 90)}"`;
}

/** What the engine said; files are seen from beside the repository, so that nobody looks for them in this one. */
export function toldOf({ repo, told }: Row): string {
  const seen = told.map((text) =>
    text.replaceAll(/(?<![\w./-])(?=(?:src|test|examples|bench|scripts|bin)\/)/g, `${repo}/`),
  );
  return seen.map((text) => plain(text, 280)).join(" ");
}

/** On one line, nothing in it that the page would read as its own. */
function plain(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/[<>|[\]*_`#]/g, (sign) => `\\${sign}`);
  return line.length > most ? `${line.slice(0, most).replace(/\\$/, "")}…` : line;
}

/** A line without the folders of this machine. */
export function withoutFolders(line: string): string {
  return line.replaceAll(/(?<![\w'*.])\/\S*\//g, "");
}

/** By what the engine said; the names of folders aside they are few. */
export function unrunLines(honest: readonly Row[]): readonly string[] {
  const rows = honest.filter((row) => !isRunnable(row));
  const reason = (row: Row) => `${row.repo}: ${withoutFolders(toldOf(row))}`;
  const lines = [...Map.groupBy(rows, reason)].map(([why, each]) => `- ${each.length} × ${why}`);
  return [...(lines.length > 0 ? lines : ["None."]), ""];
}
