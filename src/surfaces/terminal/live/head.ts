import { counted } from "../../../core/text/count.ts";
import type { PageHead, PhaseRow, RunPage } from "../../../views/page/page.ts";
import { toOneLine } from "../clean-text.ts";
import { renderGlyph } from "../glyph.ts";
import { formatSeconds } from "./format-seconds.ts";
import { alignSides } from "./layout.ts";
import type { RegionView } from "./region.ts";

/** Formats the state, what the run waits for and since when, and whose action it needs. */
export function formatHeadLines(page: RunPage, { columns, now, look }: RegionView): string[] {
  const { head } = page;
  const { paint } = look;
  const { since, needs } = head.waitsFor;
  const phase = findCurrentPhase(page);
  const title = toOneLine(phase?.title ?? head.pipeline, 60);
  const rounds = head.agents.filter((agent) => agent.phase === phase?.phase).map(({ round }) => round);
  const round = Math.max(1, ...rounds);
  const left = `${renderGlyph(look, head.state)} ${paint.bold(round > 1 ? `${title} · round ${round}` : title)}`;
  const waited = `${formatWait(head)}${formatSince(since, now, columns)}`;
  const needed = needs === "" || needs === "nobody" ? "no action needed" : `needs ${toOneLine(needs, 40)}`;
  return alignSides({ left, right: `${waited} · ${needed}` }, columns);
}

/** Formats what the run waits for in a few words; details follow below. */
function formatWait({ state, waitsFor, agents, checks }: PageHead): string {
  if (state === "waiting") return "waiting for your answer";
  if (state !== "running") return toOneLine(waitsFor.text, 120);
  if (agents.length > 0) return `waiting for ${counted(agents.length, "agent")}`;
  if (checks.length > 0) return `waiting for ${[...new Set(checks.map(({ name }) => toOneLine(name, 28)))].join(", ")}`;
  return toOneLine(waitsFor.text, 120);
}

/** Minimum width for the time of day. */
const CLOCK_COLUMNS = 100;

function formatSince(since: number, now: number, columns: number): string {
  const time = formatSeconds(now - since);
  if (columns < CLOCK_COLUMNS) return `, ${time}`;
  return ` since ${new Date(since).toTimeString().slice(0, 8)} (${time})`;
}

/** Returns the running phase, or the one that started last. */
export function findCurrentPhase({ rows }: RunPage): PhaseRow | undefined {
  const phases = rows.filter((row) => row.kind === "phase");
  const begun = phases.filter(({ startedAt }) => startedAt !== null);
  return (
    phases.findLast(({ state }) => state === "running" || state === "waiting") ??
    begun.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)).at(-1)
  );
}
