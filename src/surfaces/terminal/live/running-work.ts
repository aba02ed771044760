import type { RunningAgent, RunningCheck, RunPage } from "../../../views/page/page.ts";
import { clip, countCells, padCells, padCellsStart } from "../cells.ts";
import { toOneLine } from "../clean-text.ts";
import { formatTokens } from "../format-tokens.ts";
import { renderGlyph, type TerminalStyle } from "../glyph.ts";
import { formatSeconds } from "./format-seconds.ts";
import type { RegionView } from "./region.ts";

/** Minimum width for the driver, and for the word next to reserved money. */
const DRIVER_COLUMNS = 100;
const RESERVED_COLUMNS = 95;
/** Below this width only long silences are displayed. */
const SILENCE_COLUMNS = 70;

type Column = { readonly cells: readonly string[]; readonly end?: boolean };

/** Formats the running agents: name, duration, silence, last action and reserved money. */
export function formatAgentLines({ head }: RunPage, view: RegionView): string[] {
  const { columns, look, now, numbered } = view;
  const { agents } = head;
  if (agents.length === 0) return [];
  const before: readonly Column[] = [
    { cells: agents.map((agent, at) => (numbered ? look.paint.cyan(String(at + 1)) : renderAgentGlyph(look, agent))) },
    { cells: agents.map(formatAttemptName) },
    ...(columns + 1 >= DRIVER_COLUMNS && agents.some(({ by }) => by !== null)
      ? [{ cells: agents.map(({ by }) => toOneLine(by ?? "?", 24)) }]
      : []),
    { cells: agents.map(({ since }) => formatSeconds(now - since)), end: true },
    { cells: agents.map((agent) => formatSilence(agent, view)) },
  ];
  const after: readonly Column[] = [{ cells: agents.map((agent) => formatAgentCost(agent, view)), end: true }];
  const [left, right] = [joinColumns(before), joinColumns(after)];
  return agents.map((agent, at) => {
    const [start = "", end = ""] = [`  ${left[at] ?? ""}`, right[at] ?? ""];
    const room = columns - countCells(start) - countCells(end) - 2 * GAP.length;
    const action = room < MIN_ACTION ? "" : clip(describeAction(agent), room);
    const middle = padCells(`${start}${GAP}${action}`, columns - countCells(end) - GAP.length);
    return clip(`${middle}${GAP}${end}`.trimEnd(), columns);
  });
}

const GAP = "  ";
const MIN_ACTION = 8;

const renderAgentGlyph = (look: TerminalStyle, { stale }: RunningAgent): string =>
  renderGlyph(look, stale ? "stale" : "running");

function formatAttemptName({ who, attempt }: RunningAgent): string {
  const name = toOneLine(who, 28);
  return attempt > 1 ? `${name} (attempt ${attempt})` : name;
}

function describeAction({ lastAction, fate, stale }: RunningAgent): string {
  if (stale) return toOneLine(fate ?? "its engine is gone");
  return lastAction ? toOneLine(lastAction.text) : "no output yet";
}

/** Formats the silence, highlighted after half of the allowed time. */
function formatSilence(
  { silence, lastAction, since }: RunningAgent,
  { look: { paint }, now, columns }: RegionView,
): string {
  const forMs = silence?.forMs ?? now - (lastAction?.at ?? since);
  const text = formatSeconds(forMs);
  const isShort = !silence || forMs < silence.leftMs;
  if (isShort) return columns + 1 < SILENCE_COLUMNS ? "" : `${paint.dim("silent")} ${text}`;
  return paint.yellow(`silent ${text}, ${formatSeconds(silence.leftMs)} left`);
}

function formatReserved({ reservedUsd }: RunningAgent, { look: { paint }, columns }: RegionView): string {
  if (reservedUsd === 0) return "";
  const money = paint.yellow(`~$${reservedUsd.toFixed(2)}`);
  return columns + 1 >= RESERVED_COLUMNS ? `${money} ${paint.dim("reserved")}` : money;
}

const formatAgentCost = (agent: RunningAgent, view: RegionView): string =>
  [formatPreviousUsage(agent, view), formatReserved(agent, view)].filter(Boolean).join(GAP);

/**
 * Formats the usage of previous attempts; empty in a narrow terminal. The current attempt reports its usage when it
 * ends.
 */
function formatPreviousUsage({ said }: RunningAgent, { columns }: RegionView): string {
  if (!said || columns + 1 < DRIVER_COLUMNS) return "";
  return `${formatTokens(said.tokens)} tokens${said.usd > 0 ? ` $${said.usd.toFixed(2)}` : ""}`;
}

function joinColumns(columns: readonly Column[]): string[] {
  const rows = columns[0]?.cells.length ?? 0;
  const used = columns.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const widths = used.map(({ cells }) => Math.max(0, ...cells.map(countCells)));
  return Array.from({ length: rows }, (_, row) =>
    used
      .map(({ cells, end }, at) => (end ? padCellsStart : padCells)(cells[row] ?? "", widths[at] ?? 0))
      .map((cell, at) => (at === 0 ? cell : `${at === 1 ? " " : GAP}${cell}`))
      .join(""),
  );
}

/** Formats the project commands and set-ups that are running. */
export function formatRunningChecks({ head }: RunPage, { columns, look, now }: RegionView): string[] {
  return deduplicateChecks(head.checks).map(({ name, line, since }) => {
    const start = `  ${renderGlyph(look, "running")} ${formatCheckName(name)}`;
    return clip(`${start}  ${formatSeconds(now - since)}  ${look.paint.dim(toOneLine(line))}`, columns);
  });
}

/** Removes repeated names. Checks share one name while it is not known which of them runs. */
function deduplicateChecks(checks: readonly RunningCheck[]): readonly RunningCheck[] {
  return [...new Map(checks.toReversed().map((check) => [check.name, check])).values()].toReversed();
}

/** Prefixes command names with `check`. Names with spaces are descriptions and stay unchanged. */
const formatCheckName = (name: string): string =>
  name === "set-up" || /\s/.test(name) ? name : `check ${toOneLine(name, 28)}`;

/** Formats dispatches that wait for a retry or for a usage limit to reset. */
export function formatWaitingDispatches({ head }: RunPage, { columns, look, now }: RegionView): string[] {
  return head.resting.map(({ who, because, untilMs }) => {
    const when = untilMs === null ? "waits for your decision" : `in ${formatSeconds(untilMs - now)}`;
    return clip(
      `  ${renderGlyph(look, "retrying")} ${toOneLine(who, 40)}  ${when}  ${look.paint.dim(toOneLine(because))}`,
      columns,
    );
  });
}
