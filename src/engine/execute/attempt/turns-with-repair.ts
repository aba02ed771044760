import { join } from "node:path";
import type { Usage } from "../../../core/journal/effect.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../../core/ports/driver.ts";
import type { Processes } from "../../../core/ports/processes.ts";
import { makeOwnFolder } from "../../../node/own-folder.ts";
import { quoteBlock } from "./quote-text.ts";

const MOST_REPAIRS = 2;

type ConversationOrder = {
  readonly driver: Driver;
  readonly order: DispatchOrder;
  readonly processes: Processes;
  readonly signal: AbortSignal;
  /** Returns why an answer cannot be used, or which of its files are missing; undefined if it can be used. */
  readonly unusable: (text: string) => string | undefined | Promise<string | undefined>;
  /** Builds the prompt of a repair for an agent that remembers nothing. */
  readonly mending: (mending: { readonly problem: string; readonly said: string }) => string;
};

export type Conversation = {
  readonly last: AgentEvent | undefined;
  readonly repairs: number;
  /** True if the agent has said or done anything. */
  readonly heard: boolean;
};
type TurnEnd = Extract<AgentEvent, { type: "turn.finished" }>;

/**
 * Runs one turn, and up to two more in which the agent repairs an unreadable answer or writes a missing file: in the
 * same conversation, or asked again in the same folder. Its work is done by then, so this is much cheaper than another
 * attempt.
 */
export async function runTurns(turns: ConversationOrder): Promise<Conversation> {
  let { last, heard } = await runTurn(turns, turns.order);
  const before = last?.type === "turn.finished" ? (last.refused ?? 0) : 0;
  for (let repairs = before; last?.type === "turn.finished" && repairs < MOST_REPAIRS; repairs += 1) {
    const order = await createRepair(turns, last, repairs + 1);
    if (!order) return { last, repairs, heard };
    makeOwnFolder(order.spool);
    const { last: mended } = await runTurn(turns, order);
    const usage = sumUsage(last.usage, mended && "usage" in mended ? mended.usage : undefined);
    // A failed repair leaves the earlier answer: what that lacks says more than why the repair failed.
    if (mended?.type !== "turn.finished") return { last: replaceUsage(last, usage), repairs: repairs + 1, heard };
    last = replaceUsage(mended, usage);
  }
  return { last, repairs: last?.type === "turn.finished" ? Math.max(MOST_REPAIRS, before) : 0, heard };
}

/** Lists the spools of the turns of an attempt, the newest first; number 0 is the attempt itself. */
export function listTurnSpools(spool: string): readonly { readonly spool: string; readonly number: number }[] {
  const numbers = Array.from({ length: MOST_REPAIRS + 1 }, (_, at) => MOST_REPAIRS - at);
  return numbers.map((number) => ({ spool: number === 0 ? spool : resolveRepairSpool(spool, number), number }));
}

const resolveRepairSpool = (spool: string, number: number): string => join(spool, `repair-${number}`);

/** Undefined if nothing needs a repair, or none is possible. */
async function createRepair(
  turns: ConversationOrder,
  { session, text }: TurnEnd,
  number: number,
): Promise<DispatchOrder | undefined> {
  const { driver, order, signal } = turns;
  const problem = await turns.unusable(text);
  if (problem === undefined || signal.aborted) return undefined;
  const spool = resolveRepairSpool(order.spool, number);
  if (driver.can.again) {
    return { ...order, prompt: turns.mending({ problem, said: text }), repair: { number, problem }, spool };
  }
  if (!driver.can.resume || session === undefined) return undefined;
  const ask =
    "Your work is kept. Only the last part of your message could not be used, or a file that belongs to it is missing: write that file, and send the complete part again.";
  const prompt = `${ask}\n\nThe problem (data, which may quote your answer):\n\n${quoteBlock(problem)}`;
  return { ...order, session, prompt, spool };
}

async function runTurn({ driver, processes, signal }: ConversationOrder, order: DispatchOrder) {
  let last: AgentEvent | undefined;
  let heard = false;
  for await (const event of driver.dispatch(order, processes, signal)) {
    heard ||= HEARD.has(event.type);
    last = event;
  }
  return { last, heard };
}

const HEARD: ReadonlySet<AgentEvent["type"]> = new Set(["message.added", "tool.used", "turn.finished"]);

function replaceUsage(event: TurnEnd, usage: Usage | undefined): TurnEnd {
  const { usage: _own, ...rest } = event;
  return usage === undefined ? rest : { ...rest, usage };
}

/** A value that one of the turns does not report is unknown for their sum. */
function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return undefined;
  const known = (["inputTokens", "outputTokens", "usd"] as const).flatMap((key) => {
    const [x, y] = [a[key], b[key]];
    return x === undefined || y === undefined ? [] : [[key, x + y] as const];
  });
  return Object.fromEntries(known);
}
