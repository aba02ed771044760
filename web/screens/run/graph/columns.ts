import type { PageRow, PhaseRow } from "../../../../src/views/page/page.ts";
import { STATES, type StateName } from "../../../../src/views/states.ts";
import { byKind, type Chosen, nameOf, roundOf } from "../rows.ts";

/** One phase: a line for each instance, a cell for each round. */
export type Column = {
  readonly phase: PhaseRow;
  readonly rounds: readonly number[];
  readonly lines: readonly Line[];
};

export type Line = {
  readonly label: string;
  readonly gate: boolean;
  readonly cells: ReadonlyMap<number, Cell>;
};

export type Cell = {
  /** The row that is opened. */
  readonly id: string;
  readonly state: StateName;
  /** How often it was tried, where more than once. */
  readonly tries: number;
  readonly label: string;
};

type Draft = { label: string; gate: boolean; role: string; cells: Map<number, Cell> };

/** In the order in which things first happened: what is drawn once keeps its place. */
export function columnsOf(rows: readonly PageRow[]): readonly Column[] {
  const drafts = new Map<string, Draft[]>();
  for (const row of rows) if (isDrawn(row)) place(linesOf(drafts, row.phase), row);
  return byKind(rows).phases.map((phase) => {
    const lines = drafts.get(phase.phase) ?? [];
    const most = Math.max(1, ...lines.flatMap(({ cells }) => [...cells.keys()]));
    return {
      phase,
      rounds: Array.from({ length: most }, (_, index) => index + 1),
      // Gates judge what stands above them.
      lines: [...lines.filter(({ gate }) => !gate), ...lines.filter(({ gate }) => gate)],
    };
  });
}

const isDrawn = (row: PageRow): row is Extract<Chosen, { kind: "dispatch" | "gate" | "question" }> =>
  row.kind === "dispatch" || row.kind === "gate" || row.kind === "question";

function linesOf(drafts: Map<string, Draft[]>, phase: string): Draft[] {
  const lines = drafts.get(phase) ?? [];
  drafts.set(phase, lines);
  return lines;
}

function place(lines: Draft[], row: Extract<Chosen, { kind: "dispatch" | "gate" | "question" }>): void {
  const line = row.kind === "dispatch" ? agentLine(lines, row) : gateLine(lines, nameOf(row));
  const round = Math.max(1, roundOf(row));
  const before = line.cells.get(round);
  const tries = row.kind === "dispatch" ? row.attempts.length + (before && !line.gate ? before.tries : 0) : 1;
  const label = `${nameOf(row)}, round ${round}: ${STATES[row.state].word}`;
  line.cells.set(round, { id: row.id, state: row.state, tries, label });
}

/** By its instance; by role and instance where another role has the same one. */
function agentLine(lines: Draft[], { role, instance, who }: Extract<Chosen, { kind: "dispatch" }>): Draft {
  const label = instance.startsWith(`${role}-`) ? instance.slice(role.length + 1) : instance || role;
  const found = lines.find((line) => !line.gate && line.role === role && (line.label === label || line.label === who));
  if (found) return found;
  const taken = lines.some((line) => !line.gate && line.label === label);
  return added(lines, { label: taken ? who : label, gate: false, role, cells: new Map() });
}

function gateLine(lines: Draft[], label: string): Draft {
  return (
    lines.find((line) => line.gate && line.label === label) ??
    added(lines, { label, gate: true, role: "", cells: new Map() })
  );
}

function added(lines: Draft[], line: Draft): Draft {
  lines.push(line);
  return line;
}
