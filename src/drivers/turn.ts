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
import { findDisguisedFailure } from "./reported-failure.ts";

/** Interprets the output of one agent. A reader belongs to one attempt. */
export type Reader = {
  /** Returns the events of a line, never a final one. Without this method the output is not followed. */
  line?(line: string): readonly AgentEvent[];
  /**
   * Returns true once the agent has finished. A process that does not exit afterwards is stopped and counts as exited.
   */
  isDone?(): boolean;
  /** Returns the final event of a process that was not stopped by us. Called once, after all lines. */
  end(exit: ProcessExit): AgentEvent | Promise<AgentEvent>;
};

export type Program = Pick<ProcessOrder, "command" | "args" | "env" | "stdin" | "programs">;

export type Turn = {
  readonly agent: string;
  readonly order: DispatchOrder;
  readonly processes: Processes;
  readonly signal: AbortSignal;
  /** Called when the turn begins, so that a failed preparation becomes a failed turn instead of an exception. */
  readonly program: () => Program;
  readonly limits?: ProcessLimits | undefined;
  readonly reader: Reader;
  /** How long an agent may run after it has finished. */
  readonly lingerMs?: number | undefined;
};

const AGENT_LIMITS = { ...AGENT_TIME_LIMITS, outputBytes: 64 * 1024 * 1024 } as const satisfies ProcessLimits;

/** Runs one process for one turn: starts it, follows it, and ends with exactly one final event. */
export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent> {
  const { agent, signal, reader } = turn;
  if (signal.aborted) return yield { type: "turn.failed", failure: canceledBeforeStart(agent) };
  let running: RunningProcess;
  try {
    running = await turn.processes.start(createProcessOrder(turn));
  } catch (error) {
    return yield { type: "turn.failed", failure: notStarted(agent, error) };
  }
  const linger = createExitGrace(turn.lingerMs ?? EXIT_GRACE_MS, signal);
  const cancel = () => void running.stop("canceled");
  signal.addEventListener("abort", cancel, { once: true });
  // The signal may have fired while the process was starting.
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
    yield await judgeExit(turn, linger.isOver() && exit.stopped === "canceled" ? { ...exit, ...CLEAN_EXIT } : exit);
  } finally {
    linger.end();
    signal.removeEventListener("abort", cancel);
    // A consumer that stops reading early must not leave the agent running.
    await running.stop("canceled");
  }
}

const EXIT_GRACE_MS = 15_000;
const CLEAN_EXIT = { code: 0, signal: null, stopped: null } as const;

/** Some agents never exit after they have finished; their output is still complete. */
function createExitGrace(lingerMs: number, signal: AbortSignal) {
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

/**
 * Returns the final event of an attempt whose engine is gone. A death by signal was probably caused by the machine, so
 * it returns undefined.
 */
export async function adoptTurn(adoption: Adoption): Promise<AgentEvent | undefined> {
  const { order, processes, reader } = adoption;
  const exit = await processes.remains(order.spool);
  if (exit === undefined || exit.signal !== null) return undefined;
  // No engine enforced the output limit meanwhile, so it is enforced now.
  if (exit.stdoutBytes > AGENT_LIMITS.outputBytes) return judgeExit(adoption, { ...exit, stopped: "flood" });
  if (reader.line) for await (const line of readLines(join(order.spool, "stdout"))) reader.line(line);
  return judgeExit(adoption, exit);
}

/** Returns the session that a turn reported before it was interrupted. */
export async function sessionOfTurn({
  order,
  processes,
  reader,
}: Omit<Adoption, "agent">): Promise<string | undefined> {
  const output = join(order.spool, "stdout");
  if (!processes.intact(order.spool) || !existsSync(output)) return undefined;
  for await (const line of readLines(output)) {
    const opened = reader.line?.(line).find((event) => event.type === "session.opened");
    if (opened) return opened.session;
  }
  return undefined;
}

type TurnContext = Pick<Turn, "agent" | "order" | "reader">;

async function judgeExit({ agent, order, reader }: TurnContext, exit: ProcessExit): Promise<AgentEvent> {
  const stopped = exit.stopped === null ? undefined : failureOfExit(agent, exit);
  if (stopped) return { type: "turn.failed", failure: stopped };
  const event = await reader.end(exit);
  // A text with the nonce contains an answer, whatever else it mentions.
  if (event.type !== "turn.finished" || event.text.includes(order.nonce)) return event;
  const failure = findDisguisedFailure(agent, event.text, Date.now());
  return failure ? { type: "turn.failed", failure, ...(event.usage ? { usage: event.usage } : {}) } : event;
}

function createProcessOrder({ order, program, limits }: Turn): ProcessOrder {
  return {
    ...program(),
    cwd: order.cwd,
    spool: order.spool,
    cookie: order.effect,
    limits: { ...AGENT_LIMITS, ...limits },
  };
}

/** Splits only at line feeds: other separators are legal inside JSON texts. */
async function* readLines(path: string): AsyncGenerator<string> {
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
