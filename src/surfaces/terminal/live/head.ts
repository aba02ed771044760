import { counted } from "../../../core/text/counted.ts";
import type { PageHead, PhaseRow, RunPage } from "../../../views/page/page.ts";
import { oneLine } from "../clean-text.ts";
import { glyphOf } from "../glyph.ts";
import { sided } from "./fit.ts";
import type { View } from "./region.ts";
import { seconds } from "./seconds.ts";

/** Where it stands, what is waited for since when, and whom that needs. */
export function headLines(page: RunPage, { columns, now, look }: View): string[] {
  const { head } = page;
  const { paint } = look;
  const { since, needs } = head.waitsFor;
  const phase = currentPhase(page);
  const title = oneLine(phase?.title ?? head.pipeline, 60);
  const rounds = head.agents.filter((agent) => agent.phase === phase?.phase).map(({ round }) => round);
  const round = Math.max(1, ...rounds);
  const left = `${glyphOf(look, head.state)} ${paint.bold(round > 1 ? `${title} · round ${round}` : title)}`;
  const waited = `${waitText(head)}${sinceText(since, now, columns)}`;
  const needed = needs === "" ? "needs nobody" : `needs ${oneLine(needs, 40)}`;
  return sided({ left, right: `${waited} · ${needed}` }, columns);
}

/** In few words: who they are stands below. */
function waitText({ state, waitsFor, agents, checks }: PageHead): string {
  if (state === "waiting") return "waits for your answer";
  if (state !== "running") return oneLine(waitsFor.text, 120);
  if (agents.length > 0) return `waits for ${counted(agents.length, "agent")}`;
  if (checks.length > 0) return `waits for ${[...new Set(checks.map(({ name }) => oneLine(name, 28)))].join(", ")}`;
  return oneLine(waitsFor.text, 120);
}

/** The clock's time is worth its room where there is some. */
const ROOMY = 100;

function sinceText(since: number, now: number, columns: number): string {
  const time = seconds(now - since);
  if (columns < ROOMY) return `, ${time}`;
  return ` since ${new Date(since).toTimeString().slice(0, 8)} (${time})`;
}

/** The one at work, or the last that began. */
export function currentPhase({ rows }: RunPage): PhaseRow | undefined {
  const phases = rows.filter((row) => row.kind === "phase");
  const begun = phases.filter(({ startedAt }) => startedAt !== null);
  return (
    phases.findLast(({ state }) => state === "running" || state === "waiting") ??
    begun.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)).at(-1)
  );
}
