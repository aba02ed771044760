import { PREFLIGHT } from "../../../core/authoring/preflight.ts";
import type { PhaseRow, RunPage } from "../../../views/page/page.ts";
import { STATES, type StateName } from "../../../views/states.ts";
import { cellsOf, clip } from "../cells.ts";
import { oneLine } from "../clean-text.ts";
import { glyphOf, type Look, painted } from "../glyph.ts";
import { asManyAsFit } from "./fit.ts";
import { currentPhase } from "./head.ts";
import type { View } from "./region.ts";

/** Below this only where it stands and what went wrong. */
const WITH_LIST = 90;
const GAP = "   ";

/** All phases on one line: those behind it in one word, those before it by name as far as there is room. */
export function phaseLines(page: RunPage, view: View): string[] {
  const phases = phasesOf(page);
  if (phases.length === 0) return [];
  const { columns, look } = view;
  if (columns + 1 < WITH_LIST) return [shortLine(page, phases, view)];
  const groups = grouped(phases);
  const whole = groups.flatMap((group) => groupText(look, group, isBehind(group))).join(GAP);
  if (cellsOf(whole) <= columns) return [whole];
  const short = groups.flatMap((group) => groupText(look, group, group.length > 1)).join(GAP);
  return [clip(short, columns)];
}

/** In their order. What comes before the first is no news once it has passed. */
function phasesOf(page: RunPage): readonly PhaseRow[] {
  const all = page.rows.filter((row) => row.kind === "phase").toSorted((a, b) => a.position - b.position);
  return all.filter(({ title, state }) => title !== PREFLIGHT || state !== "passed");
}

function shortLine(page: RunPage, phases: readonly PhaseRow[], { columns, look }: View): string {
  const current = currentPhase(page);
  const others = phases.filter((phase) => phase !== current && LOUD.has(phase.state));
  const place = current ? `, phase ${phases.indexOf(current) + 1} of ${phases.length}` : "";
  const first = current ? [`${phaseText(look, current)}${place}`] : [];
  return asManyAsFit([...first, ...others.map((phase) => phaseText(look, phase))], columns, GAP);
}

const LOUD: ReadonlySet<StateName> = new Set(["failed", "missed", "error", "waiting"]);

/** Neighbours in the same state. */
function grouped(phases: readonly PhaseRow[]): PhaseRow[][] {
  const groups: PhaseRow[][] = [];
  for (const phase of phases) {
    const last = groups.at(-1);
    if (last && last[0]?.state === phase.state) last.push(phase);
    else groups.push([phase]);
  }
  return groups;
}

const AHEAD: ReadonlySet<StateName> = new Set(["not-started", "running", "waiting"]);
const isBehind = ([first]: readonly PhaseRow[]): boolean => first !== undefined && !AHEAD.has(first.state);

function groupText(look: Look, group: readonly PhaseRow[], together: boolean): string[] {
  const [first, last] = [group[0], group.at(-1)];
  if (!together || group.length < 2 || !first || !last) return group.map((phase) => phaseText(look, phase));
  const { word, tone } = STATES[first.state];
  const range = `${numberOf(first)}–${numberOf(last)} ${word}`;
  return [`${glyphOf(look, first.state)} ${tone === "quiet" ? painted(look.paint, tone)(range) : range}`];
}

function phaseText(look: Look, { state, title }: PhaseRow): string {
  const name = oneLine(title, 30);
  return `${glyphOf(look, state)} ${STATES[state].tone === "quiet" ? look.paint.dim(name) : name}`;
}

/** Titles begin with their number where the pipeline numbers them. */
const numberOf = ({ title, position }: PhaseRow): string => /^\d+\w*/.exec(title)?.[0] ?? String(position + 1);
