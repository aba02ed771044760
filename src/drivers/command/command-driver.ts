import { open } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessExit, ProcessLimits } from "../../core/ports/processes.ts";
import { type EnvironmentOptions, environmentOf } from "../environment.ts";
import { failureOfExit } from "../outcome.ts";
import { knownFailure } from "../reported-failure.ts";
import { adoptTurn, type Reader, runTurn } from "../turn.ts";

export type CommandOptions = {
  readonly name: string;
  /** The program and its arguments, passed without a shell. */
  readonly argv: readonly string[];
  readonly environment?: EnvironmentOptions;
  readonly limits?: ProcessLimits;
};

/**
 * Driver for any program: the prompt on standard input, the final message on standard output, exit code 0 for success.
 */
export function createCommandDriver({ name, argv, environment, limits }: CommandOptions): Driver {
  const [command, ...args] = argv;
  if (command === undefined || command === "") {
    throw new SignalboxError(
      "INPUT_INVALID",
      `The agent "${name}" has no command.`,
      'Set a program and its arguments, for example ["my-agent", "--quiet"].',
    );
  }
  return {
    name,
    can: { schema: false, resume: false, again: true, cost: false, permissions: false, cancel: false },
    dispatch: (order, processes, signal) => {
      const program = () => ({ command, args, env: environmentOf(order, environment), stdin: order.prompt });
      return runTurn({
        agent: name,
        order,
        processes,
        signal,
        program,
        reader: createOutputReader(name, order),
        limits,
      });
    },
    adopt: (order, processes) => adoptTurn({ agent: name, order, processes, reader: createOutputReader(name, order) }),
  };
}

function createOutputReader(name: string, order: DispatchOrder): Reader {
  return {
    async end(exit): Promise<AgentEvent> {
      const failure = failureOfExit(name, exit);
      if (failure) return { type: "turn.failed", failure: findLastLineFailure(name, exit) ?? failure };
      return { type: "turn.finished", text: await readMessage(order.spool, exit) };
    },
  };
}

/** A wrapper around an agent often prints the model's refusal as its last line. */
function findLastLineFailure(name: string, { code, stderrTail, stdoutTail }: ProcessExit): Failure | undefined {
  if (code === null || code >= 126) return undefined;
  const lastLines = [stderrTail, stdoutTail].map((text) => text.trim().split("\n").at(-1) ?? "");
  return lastLines.flatMap((line) => knownFailure(name, line, Date.now()) ?? [])[0];
}

const MESSAGE_BYTES = 1024 * 1024;
// How much output a `ProcessExit` contains.
const TAIL_BYTES = 64 * 1024;

/** Keeps the end of a long output, because it contains the contract. */
async function readMessage(spool: string, exit: ProcessExit): Promise<string> {
  if (exit.stdoutBytes <= TAIL_BYTES) return exit.stdoutTail;
  const file = await open(join(spool, "stdout"), "r");
  try {
    const bytes = Buffer.alloc(Math.min(exit.stdoutBytes, MESSAGE_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, exit.stdoutBytes - bytes.length);
    return bytes.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}
