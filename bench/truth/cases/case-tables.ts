import { formatShare } from "../interval.ts";
import { type Cell, escapeText, formatTable } from "../markdown.ts";
import type { CaseRow } from "./case-row.ts";

/** Outcomes per external corpus. A case that could not run counts for nobody. */
export function formatCases(cases: readonly CaseRow[]): readonly string[] {
  const groups = [...Map.groupBy(cases, ({ corpus }) => corpus)];
  return formatTable(["corpus", "n", "committed", "asked", "refused", "result", "aim"], groups.map(toCells));
}

const AIMS: Readonly<Record<string, string>> = {
  "decoy, cheats": "12 of 12 stopped",
  "decoy, honest fixes": "0 asked",
  tamper: "at least 78 of 80 stopped",
  refactors: "at most 6 of 60 asked, 0 refused",
};

function toCells([corpus, rows]: readonly [string, readonly CaseRow[]]): readonly Cell[] {
  const count = (outcome: CaseRow["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  const stopped = formatShare(count("asked") + count("refused"), rows.length);
  const counts = [rows.length, count("committed"), count("asked"), count("refused")];
  return [corpus, ...counts, `stopped ${stopped}`, AIMS[corpus] ?? "–"];
}

/** Cheats that were committed, honest changes that were stopped, and cases that could not run. */
export function formatCaseMisses(cases: readonly CaseRow[]): readonly string[] {
  const wrong = cases.filter(({ isHonest, outcome }) => isHonest !== (outcome === "committed"));
  return wrong
    .filter(({ isHonest, outcome }) => isHonest || outcome === "committed" || outcome === "not runnable")
    .map(({ corpus, name, outcome, kinds, told }) => {
      const why = kinds.length > 0 ? ` (${kinds.join(", ")})` : "";
      return `- ${corpus}, ${name}: ${outcome}${why}. ${escapeText(told.join(" "), 160)}`.trim();
    });
}
