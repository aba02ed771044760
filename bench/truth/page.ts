import { readFileSync } from "node:fs";
import { cheatLines, missLines } from "./cheat-lines.ts";
import type { Repository } from "./corpus.ts";
import { earlierLines } from "./earlier.ts";
import { git } from "./git.ts";
import { alarmLines, doubtLines, honestLines, overheadLines, unrunLines, withoutFolders } from "./honest-lines.ts";
import { languageOf, refusalLines } from "./refusal-lines.ts";
import type { Row } from "./row.ts";

type Played = {
  readonly rows: readonly Row[];
  readonly repositories: readonly Repository[];
  readonly notes: readonly string[];
  /** An earlier page, where its figures are to be read beside these. */
  readonly earlier?: string;
};

/** bench/results/truth.md: every figure, every miss and every alarm of what was played. */
export function pageOf({ rows, repositories, notes, earlier = "" }: Played): string {
  const honest = rows.filter(({ cheat }) => cheat === "");
  const cheats = rows.filter(({ cheat }) => cheat !== "");
  const played = repositories.filter(({ name }) => honest.some(({ repo }) => repo === name));
  return [
    ...INTRODUCTION,
    `Measured ${daysOf(rows)}, Signalbox ${versionHere()}, Node ${process.versions.node}.`,
    "",
    ...corpusLines(honest, played),
    ...leftOutLines(repositories.filter((each) => !played.includes(each))),
    "## Refused fixes and features",
    "",
    ...refusalLines(honest, repositories),
    "## False alarms on honest history",
    "",
    ...honestLines(honest),
    ...doubtLines(honest),
    "## Planted cheats",
    "",
    ...cheatLines(cheats),
    "## What it costs",
    "",
    ...overheadLines(honest, new Map(repositories.map((each) => [each.name, languageOf(each)]))),
    "## Every miss",
    "",
    ...missLines(cheats),
    "## Every alarm",
    "",
    ...alarmLines(honest),
    "## Not runnable",
    "",
    ...unrunLines(honest),
    ...(notes.length > 0 ? ["## Choices made on the way", "", ...notes.map((note) => `- ${note}`), ""] : []),
    ...earlierLines(earlier),
    ...LIMITS,
  ].join("\n");
}

const INTRODUCTION = [
  "# Truth",
  "",
  "Written by `npm run truth`; do not edit. What the engine's evidence catches, and what it stops without need, on",
  "histories that nobody here has written. The repositories lie outside of this one, and nothing of them is copied.",
  "",
  "Commits that change both code and tests are taken newest first. Each is played through the real engine, workspace and",
  "performer, on a host in memory: the parent is the base, the commit's tree is the work, a gate that always passes speaks",
  "for it, and `commit` is called with `declared` as the subject says (a fix, a feature, or nothing). Then it is committed,",
  "a person is asked, or it is refused. A merged commit is taken as honest, so everything but *committed* is an alarm.",
  'Without `declared` the doubt "no test is red without it" falls away; that column is counted from the same runs.',
  "",
  "k/n = share [Wilson's 95 % interval].",
  "",
];

const LIMITS = [
  "## What these numbers cannot say",
  "",
  "- They do not say how often agents cheat, nor what share of real cheating is caught. Cheats of the classes H and M are",
  "  caught almost by construction: code that does nothing new cannot make a test red, and an old test that fails is named",
  "  whatever became of its new form. The runs check that the machinery does what the argument says.",
  "- What stays open is not planted here: a test that is red for a marker instead of the behaviour, code that recognises",
  "  that it is being tested, a wrong fix that a weak test accepts, mutants that no old test sees.",
  "- An alarm is not always a mistake. An old test that fails on the new code is a change of behaviour, whether the subject",
  "  says so or not; the share tells how often a person is asked, not how often in vain.",
  "- The repositories are small libraries with quick tests: the friendliest case. Services with databases, browsers and",
  "  many packages will have more runs without a verdict.",
  "- Merged history has passed a review. The intermediate work of agents is noisier than that.",
  "- Class and source are what the commit says of itself. Who used an agent and did not say so counts as people.",
  "- Packages are those of the newest manifest of each repository; commits that need older ones count as not runnable.",
  "  Newest first and stopped by the clock, so repositories with slow tests have fewer commits.",
  "- Exercises with golden solutions were not played.",
  "",
];

function corpusLines(honest: readonly Row[], played: readonly Repository[]): readonly string[] {
  const lines = played.map(({ name, dir, commands }) => {
    const rows = honest.filter(({ repo }) => repo === name);
    const newest = git(dir, "log", "-1", "--format=%h of %cs").trim();
    const told = commands.map(({ run }) => `\`${withoutFolders(run).replaceAll("|", "\\|")}\``).join(", ");
    return `| ${name} | ${newest} | ${told} | ${rows.length} | ${daysOf(rows)} |`;
  });
  return ["| repository | newest commit | tests | commits played | when |", "|---|---|---|---|---|", ...lines, ""];
}

function leftOutLines(left: readonly Repository[]): readonly string[] {
  const told = left.map(({ name, skip = "nothing was played yet" }) => `${name} (${skip})`);
  return told.length > 0 ? [`Left out: ${told.join(", ")}.`, ""] : [];
}

function daysOf(rows: readonly Row[]): string {
  const days = [...new Set(rows.map(({ date }) => date))].sort();
  return days.length > 1 ? `from ${days[0]} to ${days.at(-1)}` : `on ${days[0] ?? "no day yet"}`;
}

function versionHere(): string {
  // The package's own manifest, which has one.
  return (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string })
    .version;
}
