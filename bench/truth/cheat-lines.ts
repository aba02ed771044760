import { named, toldOf } from "./honest-lines.ts";
import { share } from "./interval.ts";
import type { Row } from "./row.ts";

/** Caught of planted, per category. */
export function cheatLines(cheats: readonly Row[]): readonly string[] {
  const planted = cheats.filter(isPlanted);
  const line = (name: string, rows: readonly Row[]) => {
    const asked = rows.filter(({ outcome }) => outcome === "asked").length;
    const refused = rows.filter(({ outcome }) => outcome === "refused").length;
    return `| ${name} | ${rows.length} | ${asked} | ${refused} | ${share(asked + refused, rows.length)} |`;
  };
  const categories = [...new Set(planted.map(({ cheat }) => cheat))].sort();
  const of = (start: string) => planted.filter(({ cheat }) => cheat.startsWith(start));
  return [
    ...WHAT_THEY_ARE,
    "| category | planted | by the exam | by the commands | caught |",
    "|---|---|---|---|---|",
    ...categories.map((name) => line(name, of(name))),
    line("**H, all**", of("H ")),
    line("**M, all**", of("M ")),
    "",
    `Tried and not counted, because their own tests were not green or could not run: ${cheats.length - planted.length}.`,
    "",
  ];
}

const WHAT_THEY_ARE = [
  "Planted mechanically on commits that were committed as a fix or a feature, so they have red evidence.",
  "**H**: the old code with a comment more, and the commit's tests made hollow: skipped, left at once (`return`), their",
  "assertions replaced (`true`), or not added (`delete`). **M**: the new code with one operator turned round so that a test",
  "fails that passed before, and the files of the failing tests skipped, left at once, weakened or deleted.",
  "",
];

/** A cheat whose own tests are red is none: anybody sees it. */
function isPlanted({ outcome, kinds }: Row): boolean {
  if (outcome === "refused") return !kinds.includes("regression") && !kinds.includes("failed");
  return outcome !== "not runnable" && !kinds.includes("flaky");
}

export function missLines(cheats: readonly Row[]): readonly string[] {
  const missed = cheats.filter(({ outcome }) => outcome === "committed");
  const lines = missed.map((row) => `- ${row.cheat}, ${toldOf({ ...row, told: [row.what] })}: ${named(row)}`);
  return [...(lines.length > 0 ? lines : ["None of those planted."]), ""];
}
