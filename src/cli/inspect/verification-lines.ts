import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { AnchorState, Verification } from "./verify-run.ts";

const DIFFERENCES_SHOWN = 20;

/** What was compared, what differs, and what that does and does not show. */
export function verificationLines(paint: Paint, run: string, seen: Verification): string[] {
  const count = (where: string): number => seen.differences.filter((each) => each.where === where).length;
  const rows = Object.values(seen.rows).reduce((sum, each) => sum + each, 0);
  const tables = Object.entries(seen.rows).filter(([, each]) => each > 0);
  const glyph = (good: boolean): string => (good ? paint.green("✓") : paint.red("✗"));
  return [
    `${glyph(count("journal") === 0)} journal  ${seen.records} records, each hashed with all before it`,
    `${glyph(count("ledger") === 0)} ledger   ${rows} rows, derived again from the journal${
      tables.length > 0 ? paint.dim(`: ${tables.map(([name, each]) => `${name} ${each}`).join(", ")}`) : ""
    }`,
    ...examLine(glyph(count("exam") === 0), seen.exams),
    ...seen.anchors.map((anchor) => anchorLine(paint, anchor)),
    "",
    ...differenceLines(paint, run, seen),
    ...meaning(seen).map((line) => paint.dim(line)),
  ];
}

function examLine(glyph: string, { composed, gone }: Verification["exams"]): string[] {
  if (composed + gone === 0) return [];
  const lost = gone > 0 ? `, ${gone} whose trees are no longer here` : "";
  return [`${glyph} exams    ${composed} composed again of the same halves${lost}`];
}

function anchorLine(paint: Paint, anchor: AnchorState): string {
  if (anchor.state === "holds") return `${paint.green("✓")} anchor   ${anchor.place} holds record ${anchor.seq}`;
  if (anchor.state === "differs") return `${paint.red("✗")} anchor   ${anchor.place} differs`;
  return `${paint.dim("–")} anchor   ${anchor.place} ${anchor.because}`;
}

function differenceLines(paint: Paint, run: string, { differences }: Verification): string[] {
  if (differences.length === 0) return [`${paint.green("✓")} ${run}: all agree`];
  const more = differences.length - DIFFERENCES_SHOWN;
  return [
    paint.red(`✗ ${run}: ${differences.length} ${differences.length === 1 ? "difference" : "differences"}`),
    ...differences.slice(0, DIFFERENCES_SHOWN).map(({ message }) => `    ${oneLine(message, 300)}`),
    ...(more > 0 ? [`    … and ${more} more: --json lists all`] : []),
    `  next: ${isUnanchored(differences) ? UNANCHORED : "treat what these records and rows say as unproven; restore a backup of the database"}`,
    "",
  ];
}

const LEFT =
  "  Records and rows fit each other. Whoever recorded the end was stopped before it could be marked on the remote, or somebody else recorded it.";
const UNANCHORED =
  "start `signalbox worker` in the clone whose worker ended the run, or `signalbox land` in that of who canceled it, then look again";

/** Nothing speaks against what is recorded; only the mark outside is missing. */
const isUnanchored = (differences: Verification["differences"]): boolean =>
  differences.every(({ where, unanchored }) => where === "anchor" && unanchored === true);

function meaning({ differences, records, anchoredSeq }: Verification): string[] {
  const shows =
    differences.length > 0
      ? [
          isUnanchored(differences)
            ? LEFT
            : "  This shows that the database was changed by something other than the engine.",
        ]
      : anchoredSeq === 0
        ? [
            "  This shows that records and tables fit each other. Nothing outside the database holds them fast: somebody who rewrote all of it would not be noticed.",
          ]
        : [
            `  This shows that nobody changed the records up to ${anchoredSeq}${anchoredSeq < records ? ` (of ${records})` : ""} or the rows that follow from them, unless they rewrote the database and every anchor together.`,
          ];
  return [...shows, "  It does not show that a command tested the right thing: it shows what the engine ran and saw."];
}
