import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { AnchorState, Verification } from "./verify-run.ts";

const DIFFERENCES_SHOWN = 20;

/** Lists what was compared, the differences, and what the result proves. */
export function formatVerification(paint: Paint, run: string, seen: Verification): string[] {
  const countDifferences = (where: string): number => seen.differences.filter((each) => each.where === where).length;
  const rows = Object.values(seen.rows).reduce((sum, each) => sum + each, 0);
  const tables = Object.entries(seen.rows).filter(([, each]) => each > 0);
  const chooseGlyph = (good: boolean): string => (good ? paint.green("✓") : paint.red("✗"));
  return [
    `${chooseGlyph(countDifferences("journal") === 0)} journal  ${seen.records} records, each hash chained to the previous ones`,
    `${chooseGlyph(countDifferences("ledger") === 0)} ledger   ${rows} rows, compared with those derived from the journal${
      tables.length > 0 ? paint.dim(`: ${tables.map(([name, each]) => `${name} ${each}`).join(", ")}`) : ""
    }`,
    ...formatExams(chooseGlyph(countDifferences("exam") === 0), seen.exams),
    ...seen.anchors.map((anchor) => formatAnchor(paint, anchor)),
    "",
    ...formatDifferences(paint, run, seen),
    ...explainVerification(seen).map((line) => paint.dim(line)),
  ];
}

function formatExams(chooseGlyph: string, { composed, gone }: Verification["exams"]): string[] {
  if (composed + gone === 0) return [];
  const lost = gone > 0 ? `, ${gone} with trees that no longer exist` : "";
  return [`${chooseGlyph} exams    ${composed} recomposed from the same halves${lost}`];
}

function formatAnchor(paint: Paint, anchor: AnchorState): string {
  if (anchor.state === "holds") return `${paint.green("✓")} anchor   ${anchor.place} matches record ${anchor.seq}`;
  if (anchor.state === "differs") return `${paint.red("✗")} anchor   ${anchor.place} differs`;
  return `${paint.dim("–")} anchor   ${anchor.place} ${anchor.because}`;
}

function formatDifferences(paint: Paint, run: string, { differences }: Verification): string[] {
  if (differences.length === 0) return [`${paint.green("✓")} ${run}: no differences`];
  const more = differences.length - DIFFERENCES_SHOWN;
  return [
    paint.red(`✗ ${run}: ${differences.length} ${differences.length === 1 ? "difference" : "differences"}`),
    ...differences.slice(0, DIFFERENCES_SHOWN).map(({ message }) => `    ${toOneLine(message, 300)}`),
    ...(more > 0 ? [`    … and ${more} more: --json lists all`] : []),
    `  next: ${isOnlyUnanchored(differences) ? UNANCHORED_NEXT : "treat these records and rows as unproven; restore a backup of the database"}`,
    "",
  ];
}

const UNANCHORED_MEANING =
  "  Records and rows match. The process that recorded the end was stopped before it could anchor it on the remote, or another process recorded it.";
const UNANCHORED_NEXT =
  "start `signalbox worker` in the clone whose worker ended the run, or `signalbox land` in the clone that canceled it, then verify again";

/** True if nothing contradicts the records and only the anchor is missing. */
const isOnlyUnanchored = (differences: Verification["differences"]): boolean =>
  differences.every(({ where, unanchored }) => where === "anchor" && unanchored === true);

function explainVerification({ differences, records, anchoredSeq }: Verification): string[] {
  const shows =
    differences.length > 0
      ? [isOnlyUnanchored(differences) ? UNANCHORED_MEANING : "  Something other than the engine changed the database."]
      : anchoredSeq === 0
        ? [
            "  Records and tables match. Nothing outside the database anchors them, so a complete rewrite would not be noticed.",
          ]
        : [
            `  Records up to ${anchoredSeq}${anchoredSeq < records ? ` (of ${records})` : ""} and the rows derived from them were not changed, unless the database and every anchor were rewritten together.`,
          ];
  return [...shows, "  This proves what the engine ran and observed, not that a command tested the right thing."];
}
