import { counted } from "../../../core/text/counted.ts";
import type { PageHead, PhaseRow, RunPage } from "../../../views/page/page.ts";
import { oneLine } from "../clean-text.ts";
import { glyphOf } from "../glyph.ts";
import { sided } from "./fit.ts";
import type { View } from "./region.ts";
import { seconds } from "./seconds.ts";

/** Formats the state, what the run waits for and since when, and whose action it needs. */
export function headLines(page: RunPage, { columns, now, look }: View): string[] {
  const { head } = page;
  const { paint } = look;
  const { since, needs } = head.waitsFor;
  const phase = currentPhase(page);
  const title = oneLine(phase?.title ?? head.pipeline, 60);
  const rounds = head.agents.filter((agent) => agent.phase === phase?.phase).map(({ round }) => round);
  const round = Math.max(1, ...rounds);
  const left = `${glyphOf(look, head.state)} ${paint.bold(round > 1 ? `${title} · round ${round}` : title)}`;
  const waited = `${formatWait(head)}${formatSince(since, now, columns)}`;
  const needed = needs === "" || needs === "nobody" ? "no action needed" : `needs ${oneLine(needs, 40)}`;
  return sided({ left, right: `${waited} · ${needed}` }, columns);
}

/** Formats what the run waits for in a few words; details follow below. */
function formatWait({ state, waitsFor, agents, checks }: PageHead): string {
  if (state === "waiting") return "waiting for your answer";
  if (state !== "running") return oneLine(waitsFor.text, 120);
  if (agents.length > 0) return `waiting for ${counted(agents.length, "agent")}`;
  if (checks.length > 0) return `waiting for ${[...new Set(checks.map(({ name }) => oneLine(name, 28)))].join(", ")}`;
  return oneLine(waitsFor.text, 120);
}

/** Minimum width for the time of day. */
const CLOCK_COLUMNS = 100;

function formatSince(since: number, now: number, columns: number): string {
  const time = seconds(now - since);
  if (columns < CLOCK_COLUMNS) return `, ${time}`;
  return ` since ${new Date(since).toTimeString().slice(0, 8)} (${time})`;
}

/** Returns the running phase, or the one that started last. */
export function currentPhase({ rows }: RunPage): PhaseRow | undefined {
  const phases = rows.filter((row) => row.kind === "phase");
  const begun = phases.filter(({ startedAt }) => startedAt !== null);
  return (
    phases.findLast(({ state }) => state === "running" || state === "waiting") ??
    begun.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)).at(-1)
  );
}
