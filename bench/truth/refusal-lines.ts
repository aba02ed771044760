import type { Repository } from "./corpus.ts";
import { share } from "./interval.ts";
import type { Row } from "./row.ts";

const AIM = "at most 2 %";

/** Fixes and features by language, author and class, and how many of them were refused. */
export function refusalLines(honest: readonly Row[], repositories: readonly Repository[]): readonly string[] {
  const ran = honest.filter(
    ({ outcome, kind }) => outcome !== "not runnable" && (kind === "fix" || kind === "feature"),
  );
  const languages = new Map(repositories.map((each) => [each.name, languageOf(each)]));
  const inLanguage = (language: string) => ran.filter(({ repo }) => languages.get(repo) === language);
  const by = (source: Row["source"], rows: readonly Row[] = ran) => rows.filter((row) => row.source === source);
  const groups: readonly (readonly [string, readonly Row[]])[] = [
    ["JavaScript", inLanguage("JavaScript")],
    ["JavaScript, by people", by("people", inLanguage("JavaScript"))],
    ["JavaScript, by agents", by("agents", inLanguage("JavaScript"))],
    ["Python", inLanguage("Python")],
    ["Python, by people", by("people", inLanguage("Python"))],
    ["Python, by agents", by("agents", inLanguage("Python"))],
    ["by people", by("people")],
    ["by agents", by("agents")],
    ["**all fixes and features**", ran],
  ];
  return [
    ...WHAT_IS_REFUSED,
    "| fixes and features | n | committed | asked | refused | refused, of n | red alone | false refusals | aim |",
    "|---|---|---|---|---|---|---|---|---|",
    ...groups.map(([name, rows]) => lineOf(name, rows)),
    "",
  ];
}

const WHAT_IS_REFUSED = [
  "A question costs a person a minute; a refusal without need costs the work. What is refused is run once more without",
  "the engine, by its own command on a plain checkout. *Red alone*: that fails too, so the commit is broken as it stands, or",
  "does not run on this machine. The rest of the refused would be mistakes of the engine.",
  "",
];

/** By how its tests are started: TypeScript counts as JavaScript. */
export function languageOf({ commands }: Repository): "JavaScript" | "Python" {
  return commands.some(({ run }) => /\b(?:pytest|unittest)\b/.test(run)) ? "Python" : "JavaScript";
}

function lineOf(name: string, rows: readonly Row[]): string {
  const count = (outcome: Row["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  const refused = rows.filter(({ outcome }) => outcome === "refused");
  const red = refused.filter(({ alone }) => alone === false).length;
  const of = (k: number) => share(k, rows.length, 1);
  const counts = [rows.length, count("committed"), count("asked"), refused.length].join(" | ");
  return `| ${name} | ${counts} | ${of(refused.length)} | ${red} | ${of(refused.length - red)} | ${AIM} |`;
}
