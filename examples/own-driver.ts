import { z } from "zod";
import type { Driver } from "../src/core/ports/driver.ts";
import type { ProcessLimits } from "../src/core/ports/processes.ts";
import { environmentOf } from "../src/drivers/environment.ts";
import { failureOfExit, incomplete } from "../src/drivers/outcome.ts";
import { saidFailure } from "../src/drivers/said-failure.ts";
import { adoptTurn, playTurn, type Reader } from "../src/drivers/turn.ts";

// A driver for `parrot`, a program that takes its prompt on standard input and prints one JSON event per line.

/** What it prints; anything else is noise. */
const ParrotEvent = z.union([
  z.object({ type: z.literal("tool"), name: z.string() }),
  z.object({ type: z.literal("error"), message: z.string(), status: z.number().optional() }),
  z.object({ type: z.literal("done"), text: z.string(), tokens: z.tuple([z.number(), z.number()]) }),
]);
type Done = Extract<z.infer<typeof ParrotEvent>, { type: "done" }>;
type Refused = Extract<z.infer<typeof ParrotEvent>, { type: "error" }>;

export type ParrotOptions = { readonly argv: readonly [string, ...string[]]; readonly limits?: ProcessLimits };

export function parrotDriver({ argv, limits }: ParrotOptions): Driver {
  const agent = "parrot";
  const [command, ...args] = argv;
  return {
    name: agent,
    can: { schema: false, resume: false, cost: false, permissions: false, cancel: false },
    dispatch(order, processes, signal) {
      const words = order.model === undefined ? args : [...args, "--model", order.model];
      const env = () => environmentOf(order, { pass: ["PARROT_API_KEY"] });
      const program = () => ({ command, args: words, env: env(), stdin: order.prompt });
      return playTurn({ agent, order, processes, signal, program, reader: parrotReader(agent), limits });
    },
    adopt: (order, processes) => adoptTurn({ agent, order, processes, reader: parrotReader(agent) }),
  };
}

/** Belongs to one turn. Success is `done`, no error and exit 0: any one of them alone may lie. */
function parrotReader(agent: string): Reader {
  let done: Done | undefined;
  let refused: Refused | undefined;
  return {
    line(line) {
      const event = eventIn(line);
      if (event?.type === "done") done = event;
      if (event?.type === "error") refused = event;
      return event?.type === "tool" ? [{ type: "tool.used", name: event.name }] : [];
    },
    isDone: () => done !== undefined,
    end(exit) {
      if (refused) return { type: "turn.failed", failure: saidFailure(agent, refused, Date.now()) };
      const failure = failureOfExit(agent, exit);
      if (failure) return { type: "turn.failed", failure };
      if (!done) return { type: "turn.failed", failure: incomplete(agent, exit) };
      const [inputTokens, outputTokens] = done.tokens;
      return { type: "turn.finished", text: done.text, usage: { inputTokens, outputTokens } };
    },
  };
}

function eventIn(line: string) {
  try {
    return ParrotEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
