import { PREFLIGHT } from "../../../core/authoring/preflight.ts";
import type { PhaseRow, RunPage } from "../../../views/page/page.ts";
import { STATES, type StateName } from "../../../views/states.ts";
import { clip, countCells } from "../cells.ts";
import { toOneLine } from "../clean-text.ts";
import { getTonePainter, renderGlyph, type TerminalStyle } from "../glyph.ts";
import { findCurrentPhase } from "./head.ts";
import { joinFittingParts } from "./layout.ts";
import type { RegionView } from "./region.ts";

/** Minimum width for the list of phases. Narrower windows get the current phase and the failed ones. */
const LIST_COLUMNS = 90;
const GAP = "   ";

/**
 * Formats all phases on one line. Phases with the same state are grouped, and upcoming phases are named as far as they
 * fit.
 */
export function formatPhaseLines(page: RunPage, view: RegionView): string[] {
  const phases = listPhases(page);
  if (phases.length === 0) return [];
  const { columns, look } = view;
  if (columns + 1 < LIST_COLUMNS) return [formatShortLine(page, phases, view)];
  const groups = groupByState(phases);
  const whole = groups.flatMap((group) => formatGroup(look, group, isPast(group))).join(GAP);
  if (countCells(whole) <= columns) return [whole];
  const short = groups.flatMap((group) => formatGroup(look, group, group.length > 1)).join(GAP);
  return [clip(short, columns)];
}

/** Lists the phases in order, without a preflight that passed. */
function listPhases(page: RunPage): readonly PhaseRow[] {
  const all = page.rows.filter((row) => row.kind === "phase").toSorted((a, b) => a.position - b.position);
  return all.filter(({ title, state }) => title !== PREFLIGHT || state !== "passed");
}

function formatShortLine(page: RunPage, phases: readonly PhaseRow[], { columns, look }: RegionView): string {
  const current = findCurrentPhase(page);
  const others = phases.filter((phase) => phase !== current && HIGHLIGHTED.has(phase.state));
  const place = current ? `, phase ${phases.indexOf(current) + 1} of ${phases.length}` : "";
  const first = current ? [`${formatPhase(look, current)}${place}`] : [];
  return joinFittingParts([...first, ...others.map((phase) => formatPhase(look, phase))], columns, GAP);
}

const HIGHLIGHTED: ReadonlySet<StateName> = new Set(["failed", "missed", "error", "waiting"]);

/** Groups adjacent phases with the same state. */
function groupByState(phases: readonly PhaseRow[]): PhaseRow[][] {
  const groups: PhaseRow[][] = [];
  for (const phase of phases) {
    const last = groups.at(-1);
    if (last && last[0]?.state === phase.state) last.push(phase);
    else groups.push([phase]);
  }
  return groups;
}

const UPCOMING: ReadonlySet<StateName> = new Set(["not-started", "running", "waiting"]);
const isPast = ([first]: readonly PhaseRow[]): boolean => first !== undefined && !UPCOMING.has(first.state);

function formatGroup(look: TerminalStyle, group: readonly PhaseRow[], together: boolean): string[] {
  const [first, last] = [group[0], group.at(-1)];
  if (!together || group.length < 2 || !first || !last) return group.map((phase) => formatPhase(look, phase));
  const { word, tone } = STATES[first.state];
  const range = `${getPhaseNumber(first)}–${getPhaseNumber(last)} ${word}`;
  return [`${renderGlyph(look, first.state)} ${tone === "quiet" ? getTonePainter(look.paint, tone)(range) : range}`];
}

function formatPhase(look: TerminalStyle, { state, title }: PhaseRow): string {
  const name = toOneLine(title, 30);
  return `${renderGlyph(look, state)} ${STATES[state].tone === "quiet" ? look.paint.dim(name) : name}`;
}

/** Returns the number at the start of the title, or otherwise the position. */
const getPhaseNumber = ({ title, position }: PhaseRow): string => /^\d+\w*/.exec(title)?.[0] ?? String(position + 1);
