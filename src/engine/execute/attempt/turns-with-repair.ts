import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Usage } from "../../core/effect.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { Processes } from "../../core/ports/processes.ts";

const MOST_REPAIRS = 2;

type Turns = {
  readonly driver: Driver;
  readonly order: DispatchOrder;
  readonly processes: Processes;
  readonly signal: AbortSignal;
  /** Why an answer cannot be used as it is; undefined when it can. */
  readonly unusable: (text: string) => string | undefined;
};

export type Conversation = {
  readonly last: AgentEvent | undefined;
  readonly repairs: number;
  /** The agent has said or done something. */
  readonly heard: boolean;
};
type Finished = Extract<AgentEvent, { type: "turn.finished" }>;

/**
 * One turn; and where the driver can go on with a conversation, up to two more in which the agent mends an answer that
 * cannot be read. Its work is done by then, so this is much cheaper than another attempt.
 */
export async function converse(turns: Turns): Promise<Conversation> {
  let { last, heard } = await turn(turns, turns.order);
  for (let repairs = 0; last?.type === "turn.finished" && repairs < MOST_REPAIRS; repairs += 1) {
    const order = repairOf(turns, last, repairs + 1);
    if (!order) return { last, repairs, heard };
    await mkdir(order.spool, { recursive: true, mode: 0o700 });
    const { last: mended } = await turn(turns, order);
    const usage = sum(last.usage, mended && "usage" in mended ? mended.usage : undefined);
    // A repair that fails leaves the answer that there was: what it lacks says more than why it could not be mended.
    if (mended?.type !== "turn.finished") return { last: withUsage(last, usage), repairs: repairs + 1, heard };
    last = withUsage(mended, usage);
  }
  return { last, repairs: last?.type === "turn.finished" ? MOST_REPAIRS : 0, heard };
}

/** Undefined where nothing is to be mended, or nothing can be. */
function repairOf(turns: Turns, { session, text }: Finished, number: number): DispatchOrder | undefined {
  const { driver, order, signal } = turns;
  const problem = turns.unusable(text);
  if (problem === undefined || !driver.can.resume || session === undefined || signal.aborted) return undefined;
  const ask = "Your work is kept. Only the last part of your message could not be used; send that part again, whole.";
  const prompt = `${ask}\n\nWhat was wrong: ${problem}`;
  return { ...order, session, prompt, spool: join(order.spool, `repair-${number}`) };
}

async function turn({ driver, processes, signal }: Turns, order: DispatchOrder) {
  let last: AgentEvent | undefined;
  let heard = false;
  for await (const event of driver.dispatch(order, processes, signal)) {
    heard ||= HEARD.has(event.type);
    last = event;
  }
  return { last, heard };
}

const HEARD: ReadonlySet<AgentEvent["type"]> = new Set(["message.added", "tool.used", "turn.finished"]);

function withUsage(event: Finished, usage: Usage | undefined): Finished {
  const { usage: _own, ...rest } = event;
  return usage === undefined ? rest : { ...rest, usage };
}

/** What one of the turns does not say is not known of them together. */
function sum(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return undefined;
  const known = (["inputTokens", "outputTokens", "usd"] as const).flatMap((key) => {
    const [x, y] = [a[key], b[key]];
    return x === undefined || y === undefined ? [] : [[key, x + y] as const];
  });
  return Object.fromEntries(known);
}
