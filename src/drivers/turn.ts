import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, DispatchOrder } from "../core/ports/driver.ts";
import {
  AGENT_TIME_LIMITS,
  type ProcessExit,
  type Processes,
  type ProcessLimits,
  type ProcessOrder,
  type RunningProcess,
} from "../core/ports/processes.ts";
import { canceledBeforeStart, failureOfExit, notStarted } from "./outcome.ts";
import { disguisedFailure } from "./said-failure.ts";

/** How one agent's output is read. A reader belongs to one attempt. */
export type Reader = {
  /** What a line stands for; never a final event. Without it the output is not followed while it is written. */
  line?(line: string): readonly AgentEvent[];
  /** True once the agent has said its last word: what then does not leave by itself is ended and counts as left. */
  isDone?(): boolean;
  /** The final event of a process that was not stopped by us, asked once, after all lines. */
  end(exit: ProcessExit): AgentEvent | Promise<AgentEvent>;
};

export type Program = Pick<ProcessOrder, "command" | "args" | "env" | "stdin" | "programs">;

export type Turn = {
  readonly agent: string;
  readonly order: DispatchOrder;
  readonly processes: Processes;
  readonly signal: AbortSignal;
  /** Asked when the turn begins, so that what it cannot prepare is a failed turn and no exception. */
  readonly program: () => Program;
  readonly limits?: ProcessLimits | undefined;
  readonly reader: Reader;
  /** How long an agent may stay after its last word. */
  readonly lingerMs?: number | undefined;
};

const AGENT_LIMITS = { ...AGENT_TIME_LIMITS, outputBytes: 64 * 1024 * 1024 } as const satisfies ProcessLimits;

/** One process, one turn: started, followed, and ended with exactly one final event. */
export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent> {
  const { agent, signal, reader } = turn;
  if (signal.aborted) return yield { type: "turn.failed", failure: canceledBeforeStart(agent) };
  let running: RunningProcess;
  try {
    running = await turn.processes.start(processOrder(turn));
  } catch (error) {
    return yield { type: "turn.failed", failure: notStarted(agent, error) };
  }
  const linger = exitGrace(turn.lingerMs ?? EXIT_GRACE_MS, signal);
  const cancel = () => void running.stop("canceled");
  signal.addEventListener("abort", cancel, { once: true });
  // The signal may have fired while the process was being started.
  if (signal.aborted) cancel();
  try {
    yield { type: "turn.started" };
    if (reader.line) {
      for await (const line of running.lines()) {
        yield* reader.line(line);
        if (reader.isDone?.()) linger.begin(running);
      }
    }
    const exit = await running.exited;
    yield await finalEvent(turn, linger.isOver() && exit.stopped === "canceled" ? { ...exit, ...LEFT } : exit);
  } finally {
    linger.end();
    signal.removeEventListener("abort", cancel);
    // Somebody who stops listening early must not leave the agent at work.
    await running.stop("canceled");
  }
}

const EXIT_GRACE_MS = 15_000;
const LEFT = { code: 0, signal: null, stopped: null } as const;

/** Some agents never leave after their last word; what they said is complete all the same. */
function exitGrace(lingerMs: number, signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  return {
    begin(running: RunningProcess) {
      timer ??= setTimeout(() => {
        over = !signal.aborted;
        void running.stop("canceled");
      }, lingerMs);
    },
    isOver: () => over,
    end: () => clearTimeout(timer),
  };
}

export type Adoption = Pick<Turn, "agent" | "order" | "processes" | "reader">;

/** The final event of an attempt whose engine is gone; a death by signal was more likely the machine's than its own. */
export async function adoptTurn(adoption: Adoption): Promise<AgentEvent | undefined> {
  const { order, processes, reader } = adoption;
  const exit = await processes.remains(order.spool);
  if (exit === undefined || exit.signal !== null) return undefined;
  // While no engine looked nobody stopped it, and what would have been too much then is too much now.
  if (exit.stdoutBytes > AGENT_LIMITS.outputBytes) return finalEvent(adoption, { ...exit, stopped: "flood" });
  if (reader.line) for await (const line of linesOf(join(order.spool, "stdout"))) reader.line(line);
  return finalEvent(adoption, exit);
}

/** The conversation that a turn had named before it was cut off. */
export async function sessionOfTurn({
  order,
  processes,
  reader,
}: Omit<Adoption, "agent">): Promise<string | undefined> {
  const output = join(order.spool, "stdout");
  if (!processes.intact(order.spool) || !existsSync(output)) return undefined;
  for await (const line of linesOf(output)) {
    const opened = reader.line?.(line).find((event) => event.type === "session.opened");
    if (opened) return opened.session;
  }
  return undefined;
}

type TurnContext = Pick<Turn, "agent" | "order" | "reader">;

async function finalEvent({ agent, order, reader }: TurnContext, exit: ProcessExit): Promise<AgentEvent> {
  const stopped = exit.stopped === null ? undefined : failureOfExit(agent, exit);
  if (stopped) return { type: "turn.failed", failure: stopped };
  const event = await reader.end(exit);
  // A text with the nonce has an answer in it, whatever else it speaks of.
  if (event.type !== "turn.finished" || event.text.includes(order.nonce)) return event;
  const failure = disguisedFailure(agent, event.text, Date.now());
  return failure ? { type: "turn.failed", failure, ...(event.usage ? { usage: event.usage } : {}) } : event;
}

function processOrder({ order, program, limits }: Turn): ProcessOrder {
  return {
    ...program(),
    cwd: order.cwd,
    spool: order.spool,
    cookie: order.effect,
    limits: { ...AGENT_LIMITS, ...limits },
  };
}

/** Split at line feeds alone: other separators are legal inside JSON texts. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const chunk of createReadStream(path, "utf8")) {
    const parts = String(chunk).split("\n");
    for (const part of parts.slice(0, -1)) {
      yield pieces.join("") + part;
      pieces = [];
    }
    pieces.push(parts.at(-1) ?? "");
  }
  const rest = pieces.join("");
  if (rest !== "") yield rest;
}
