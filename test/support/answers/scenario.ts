import type { Pipeline } from "../../../src/core/authoring/pipeline.ts";
import type { AttemptRequest, Effect } from "../../../src/core/journal/effect.ts";
import type { Play } from "./paper-world.ts";

/** A run of a built-in pipeline as data: all answers, and the expected end. */
export type Scenario = {
  readonly name: string;
  readonly pipeline: Pipeline;
  readonly input: unknown;
  readonly approvals: "interactive" | "autonomous";
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  /** Pure: the same effect always has the same result. */
  perform(effect: Effect): unknown;
  answer(question: { readonly title: string; readonly choices: readonly string[] }): string;
  readonly expect: {
    readonly status: "done" | "error" | "blocked" | "stalled";
    readonly exit: number;
    /** Part of the reason that the run ends with. */
    readonly reason?: string;
    /** Gates in the order of their first decision, with the last result of each. */
    readonly gates: Readonly<Record<string, boolean>>;
    readonly commits: number;
  };
};

export const COMMANDS = [
  { name: "build", run: "make build" },
  { name: "test", run: "make test" },
  { name: "lint", run: "make lint" },
] as const;

export const takeFirst = ({ choices }: { readonly choices: readonly string[] }): string => choices[0] ?? "";

/** Maps role names to answers; a missing one is an error of the scenario. */
export function cast(parts: Readonly<Record<string, (request: AttemptRequest) => Play>>) {
  return (request: AttemptRequest): Play => {
    const part = parts[request.role];
    if (!part) throw new Error(`the scenario has no answer for ${request.role}`);
    return part(request);
  };
}

/** Erases the pipeline's input type; each scenario passes a matching input. */
export function anyInput<Input>(pipeline: Pipeline<Input>): Pipeline {
  // The engine parses the input with the pipeline's schema before the body receives it.
  return pipeline as unknown as Pipeline;
}
