import type { PageRow, PhaseRow } from "../../../../src/views/page/page.ts";
import { STATES, type StateName } from "../../../../src/views/states.ts";
import { getRound, getRowName, groupRows, type SelectableRow } from "../rows.ts";

/** The column of a phase: one line per instance, one cell per round. */
export type Column = {
  readonly phase: PhaseRow;
  readonly rounds: readonly number[];
  readonly lines: readonly Line[];
};

export type Line = {
  readonly label: string;
  readonly gate: boolean;
  readonly cells: ReadonlyMap<number, GridCell>;
};

export type GridCell = {
  /** The row that a click selects. */
  readonly id: string;
  readonly state: StateName;
  /** Number of attempts. */
  readonly tries: number;
  readonly label: string;
};

type LineDraft = { label: string; gate: boolean; role: string; cells: Map<number, GridCell> };

/** Builds the columns in order of first appearance, so that drawn elements keep their position. */
export function buildColumns(rows: readonly PageRow[]): readonly Column[] {
  const drafts = new Map<string, LineDraft[]>();
  for (const row of rows) if (isDrawn(row)) addCell(getLines(drafts, row.phase), row);
  return groupRows(rows).phases.map((phase) => {
    const lines = drafts.get(phase.phase) ?? [];
    const most = Math.max(1, ...lines.flatMap(({ cells }) => [...cells.keys()]));
    return {
      phase,
      rounds: Array.from({ length: most }, (_, index) => index + 1),
      // Gates are listed below what they evaluate.
      lines: [...lines.filter(({ gate }) => !gate), ...lines.filter(({ gate }) => gate)],
    };
  });
}

const isDrawn = (row: PageRow): row is Extract<SelectableRow, { kind: "dispatch" | "gate" | "question" }> =>
  row.kind === "dispatch" || row.kind === "gate" || row.kind === "question";

function getLines(drafts: Map<string, LineDraft[]>, phase: string): LineDraft[] {
  const lines = drafts.get(phase) ?? [];
  drafts.set(phase, lines);
  return lines;
}

function addCell(lines: LineDraft[], row: Extract<SelectableRow, { kind: "dispatch" | "gate" | "question" }>): void {
  const line = row.kind === "dispatch" ? getAgentLine(lines, row) : getGateLine(lines, getRowName(row));
  const round = Math.max(1, getRound(row));
  const before = line.cells.get(round);
  const tries = row.kind === "dispatch" ? row.attempts.length + (before && !line.gate ? before.tries : 0) : 1;
  const label = `${getRowName(row)}, round ${round}: ${STATES[row.state].word}`;
  line.cells.set(round, { id: row.id, state: row.state, tries, label });
}

/** Finds or adds the line of an instance. The label includes the role if another role has the same instance. */
function getAgentLine(
  lines: LineDraft[],
  { role, instance, who }: Extract<SelectableRow, { kind: "dispatch" }>,
): LineDraft {
  const label = instance.startsWith(`${role}-`) ? instance.slice(role.length + 1) : instance || role;
  const found = lines.find((line) => !line.gate && line.role === role && (line.label === label || line.label === who));
  if (found) return found;
  const taken = lines.some((line) => !line.gate && line.label === label);
  return addLine(lines, { label: taken ? who : label, gate: false, role, cells: new Map() });
}

function getGateLine(lines: LineDraft[], label: string): LineDraft {
  return (
    lines.find((line) => line.gate && line.label === label) ??
    addLine(lines, { label, gate: true, role: "", cells: new Map() })
  );
}

function addLine(lines: LineDraft[], line: LineDraft): LineDraft {
  lines.push(line);
  return line;
}
