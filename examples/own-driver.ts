// A driver for `parrot`, a program that takes its prompt on standard input and prints one JSON event per line.
// Copy it to .signalbox/drivers/parrot.ts of your repository; then `agents:` and `--agent` know it by its name.
import {
  adoptTurn,
  type Driver,
  defineDriver,
  environmentOf,
  failureOfExit,
  incomplete,
  type ProcessLimits,
  type Reader,
  reportedFailure,
  runTurn,
} from "signalbox/driver";
import { z } from "zod";

const VARIABLES = ["PARROT_API_KEY"];

export const PARROT = defineDriver({
  name: "parrot",
  program: "parrot",
  install: "npm install -g parrot",
  logIn: "set PARROT_API_KEY",
  variables: () => VARIABLES,
  create: ({ limits }) => parrotDriver({ argv: ["parrot"], limits }),
});

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
      const env = () => environmentOf(order, { pass: VARIABLES });
      const program = () => ({ command, args: words, env: env(), stdin: order.prompt });
      return runTurn({ agent, order, processes, signal, program, reader: parrotReader(agent), limits });
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
      if (refused) return { type: "turn.failed", failure: reportedFailure(agent, refused, Date.now()) };
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
