import type { AgentAtWork, CheckAtWork, RunPage } from "../../../views/page/page.ts";
import { cellsOf, clip, padCells, padCellsStart } from "../cells.ts";
import { oneLine } from "../clean-text.ts";
import { glyphOf, type Look } from "../glyph.ts";
import { tokensText } from "../tokens-text.ts";
import type { View } from "./region.ts";
import { seconds } from "./seconds.ts";

/** Below this the driver has no room, and below that the word beside reserved money. */
const WITH_DRIVER = 100;
const WITH_WORDS = 95;
/** Below this a silence is told only where it is long. */
const WITH_SILENCE = 70;

type Column = { readonly cells: readonly string[]; readonly end?: boolean };

/** Who works, since when, in silence for how long, what was seen of it last, and what is kept for it. */
export function agentLines({ head }: RunPage, view: View): string[] {
  const { columns, look, now, numbered } = view;
  const { agents } = head;
  if (agents.length === 0) return [];
  const before: readonly Column[] = [
    { cells: agents.map((agent, at) => (numbered ? look.paint.cyan(String(at + 1)) : signOf(look, agent))) },
    { cells: agents.map(nameOf) },
    ...(columns + 1 >= WITH_DRIVER && agents.some(({ by }) => by !== null)
      ? [{ cells: agents.map(({ by }) => oneLine(by ?? "?", 24)) }]
      : []),
    { cells: agents.map(({ since }) => seconds(now - since)), end: true },
    { cells: agents.map((agent) => silenceOf(agent, view)) },
  ];
  const after: readonly Column[] = [{ cells: agents.map((agent) => moneyOf(agent, view)), end: true }];
  const [left, right] = [columnsOf(before), columnsOf(after)];
  return agents.map((agent, at) => {
    const [start = "", end = ""] = [`  ${left[at] ?? ""}`, right[at] ?? ""];
    const room = columns - cellsOf(start) - cellsOf(end) - 2 * GAP.length;
    const action = room < LEAST_ACTION ? "" : clip(doingOf(agent), room);
    const middle = padCells(`${start}${GAP}${action}`, columns - cellsOf(end) - GAP.length);
    return clip(`${middle}${GAP}${end}`.trimEnd(), columns);
  });
}

const GAP = "  ";
const LEAST_ACTION = 8;

const signOf = (look: Look, { stale }: AgentAtWork): string => glyphOf(look, stale ? "stale" : "running");

function nameOf({ who, attempt }: AgentAtWork): string {
  const name = oneLine(who, 28);
  return attempt > 1 ? `${name} (attempt ${attempt})` : name;
}

function doingOf({ lastAction, fate, stale }: AgentAtWork): string {
  if (stale) return oneLine(fate ?? "its engine is gone");
  return lastAction ? oneLine(lastAction.text) : "nothing heard of it yet";
}

/** More than half of what it may be silent is worth a colour. */
function silenceOf({ silence, lastAction, since }: AgentAtWork, { look: { paint }, now, columns }: View): string {
  const forMs = silence?.forMs ?? now - (lastAction?.at ?? since);
  const text = seconds(forMs);
  const isShort = !silence || forMs < silence.leftMs;
  if (isShort) return columns + 1 < WITH_SILENCE ? "" : `${paint.dim("silent")} ${text}`;
  return paint.yellow(`silent ${text}, ${seconds(silence.leftMs)} left`);
}

function reservedOf({ reservedUsd }: AgentAtWork, { look: { paint }, columns }: View): string {
  if (reservedUsd === 0) return "";
  const money = paint.yellow(`~$${reservedUsd.toFixed(2)}`);
  return columns + 1 >= WITH_WORDS ? `${money} ${paint.dim("reserved")}` : money;
}

const moneyOf = (agent: AgentAtWork, view: View): string =>
  [saidOf(agent, view), reservedOf(agent, view)].filter(Boolean).join(GAP);

/** What its attempts before this one have used; this one says it at its end. */
function saidOf({ said }: AgentAtWork, { columns }: View): string {
  if (!said || columns + 1 < WITH_DRIVER) return "";
  return `${tokensText(said.tokens)} tokens${said.usd > 0 ? ` $${said.usd.toFixed(2)}` : ""}`;
}

function columnsOf(columns: readonly Column[]): string[] {
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

/** Commands of the project and set-ups that run now. */
export function checkLines({ head }: RunPage, { columns, look, now }: View): string[] {
  return distinct(head.checks).map(({ name, line, since }) => {
    const start = `  ${glyphOf(look, "running")} ${checkName(name)}`;
    return clip(`${start}  ${seconds(now - since)}  ${look.paint.dim(oneLine(line))}`, columns);
  });
}

/** Which of them it is may not be known yet, and then they have one name. */
function distinct(checks: readonly CheckAtWork[]): readonly CheckAtWork[] {
  return [...new Map(checks.toReversed().map((check) => [check.name, check])).values()].toReversed();
}

/** A command's name, or words that stand for themselves. */
const checkName = (name: string): string =>
  name === "set-up" || /\s/.test(name) ? name : `check ${oneLine(name, 28)}`;

/** Who goes on later: a retry, or a usage window. */
export function restingLines({ head }: RunPage, { columns, look, now }: View): string[] {
  return head.resting.map(({ who, because, untilMs }) => {
    const when = untilMs === null ? "waits for a word" : `in ${seconds(untilMs - now)}`;
    return clip(
      `  ${glyphOf(look, "retrying")} ${oneLine(who, 40)}  ${when}  ${look.paint.dim(oneLine(because))}`,
      columns,
    );
  });
}
