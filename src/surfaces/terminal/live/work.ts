import type { AgentAtWork, CheckAtWork, RunPage } from "../../../views/page/page.ts";
import { cellsOf, clip, padCells, padCellsStart } from "../cells.ts";
import { oneLine } from "../clean-text.ts";
import { glyphOf, type Look } from "../glyph.ts";
import { tokensText } from "../tokens-text.ts";
import type { View } from "./region.ts";
import { seconds } from "./seconds.ts";

/** Minimum width for the driver, and for the word next to reserved money. */
const DRIVER_COLUMNS = 100;
const RESERVED_COLUMNS = 95;
/** Below this width only long silences are displayed. */
const SILENCE_COLUMNS = 70;

type Column = { readonly cells: readonly string[]; readonly end?: boolean };

/** Formats the running agents: name, duration, silence, last action and reserved money. */
export function agentLines({ head }: RunPage, view: View): string[] {
  const { columns, look, now, numbered } = view;
  const { agents } = head;
  if (agents.length === 0) return [];
  const before: readonly Column[] = [
    { cells: agents.map((agent, at) => (numbered ? look.paint.cyan(String(at + 1)) : renderAgentGlyph(look, agent))) },
    { cells: agents.map(formatAttemptName) },
    ...(columns + 1 >= DRIVER_COLUMNS && agents.some(({ by }) => by !== null)
      ? [{ cells: agents.map(({ by }) => oneLine(by ?? "?", 24)) }]
      : []),
    { cells: agents.map(({ since }) => seconds(now - since)), end: true },
    { cells: agents.map((agent) => formatSilence(agent, view)) },
  ];
  const after: readonly Column[] = [{ cells: agents.map((agent) => formatAgentCost(agent, view)), end: true }];
  const [left, right] = [joinColumns(before), joinColumns(after)];
  return agents.map((agent, at) => {
    const [start = "", end = ""] = [`  ${left[at] ?? ""}`, right[at] ?? ""];
    const room = columns - cellsOf(start) - cellsOf(end) - 2 * GAP.length;
    const action = room < MIN_ACTION ? "" : clip(describeAction(agent), room);
    const middle = padCells(`${start}${GAP}${action}`, columns - cellsOf(end) - GAP.length);
    return clip(`${middle}${GAP}${end}`.trimEnd(), columns);
  });
}

const GAP = "  ";
const MIN_ACTION = 8;

const renderAgentGlyph = (look: Look, { stale }: AgentAtWork): string => glyphOf(look, stale ? "stale" : "running");

function formatAttemptName({ who, attempt }: AgentAtWork): string {
  const name = oneLine(who, 28);
  return attempt > 1 ? `${name} (attempt ${attempt})` : name;
}

function describeAction({ lastAction, fate, stale }: AgentAtWork): string {
  if (stale) return oneLine(fate ?? "its engine is gone");
  return lastAction ? oneLine(lastAction.text) : "no output yet";
}

/** Formats the silence, highlighted after half of the allowed time. */
function formatSilence({ silence, lastAction, since }: AgentAtWork, { look: { paint }, now, columns }: View): string {
  const forMs = silence?.forMs ?? now - (lastAction?.at ?? since);
  const text = seconds(forMs);
  const isShort = !silence || forMs < silence.leftMs;
  if (isShort) return columns + 1 < SILENCE_COLUMNS ? "" : `${paint.dim("silent")} ${text}`;
  return paint.yellow(`silent ${text}, ${seconds(silence.leftMs)} left`);
}

function formatReserved({ reservedUsd }: AgentAtWork, { look: { paint }, columns }: View): string {
  if (reservedUsd === 0) return "";
  const money = paint.yellow(`~$${reservedUsd.toFixed(2)}`);
  return columns + 1 >= RESERVED_COLUMNS ? `${money} ${paint.dim("reserved")}` : money;
}

const formatAgentCost = (agent: AgentAtWork, view: View): string =>
  [formatPreviousUsage(agent, view), formatReserved(agent, view)].filter(Boolean).join(GAP);

/** Formats the usage of previous attempts. The current attempt reports its usage when it ends. */
function formatPreviousUsage({ said }: AgentAtWork, { columns }: View): string {
  if (!said || columns + 1 < DRIVER_COLUMNS) return "";
  return `${tokensText(said.tokens)} tokens${said.usd > 0 ? ` $${said.usd.toFixed(2)}` : ""}`;
}

function joinColumns(columns: readonly Column[]): string[] {
  const rows = columns[0]?.cells.length ?? 0;
  const used = columns.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const widths = used.map(({ cells }) => Math.max(0, ...cells.map(cellsOf)));
  return Array.from({ length: rows }, (_, row) =>
    used
      .map(({ cells, end }, at) => (end ? padCellsStart : padCells)(cells[row] ?? "", widths[at] ?? 0))
      .map((cell, at) => (at === 0 ? cell : `${at === 1 ? " " : GAP}${cell}`))
      .join(""),
  );
}

/** Formats the project commands and set-ups that are running. */
export function checkLines({ head }: RunPage, { columns, look, now }: View): string[] {
  return deduplicateChecks(head.checks).map(({ name, line, since }) => {
    const start = `  ${glyphOf(look, "running")} ${formatCheckName(name)}`;
    return clip(`${start}  ${seconds(now - since)}  ${look.paint.dim(oneLine(line))}`, columns);
  });
}

/** Removes repeated names. Checks share one name while it is not known which of them runs. */
function deduplicateChecks(checks: readonly CheckAtWork[]): readonly CheckAtWork[] {
  return [...new Map(checks.toReversed().map((check) => [check.name, check])).values()].toReversed();
}

/** Prefixes command names with `check`. Names with spaces are descriptions and stay unchanged. */
const formatCheckName = (name: string): string =>
  name === "set-up" || /\s/.test(name) ? name : `check ${oneLine(name, 28)}`;

/** Formats dispatches that wait for a retry or for a usage limit to reset. */
export function restingLines({ head }: RunPage, { columns, look, now }: View): string[] {
  return head.resting.map(({ who, because, untilMs }) => {
    const when = untilMs === null ? "waits for your decision" : `in ${seconds(untilMs - now)}`;
    return clip(
      `  ${glyphOf(look, "retrying")} ${oneLine(who, 40)}  ${when}  ${look.paint.dim(oneLine(because))}`,
      columns,
    );
  });
}
