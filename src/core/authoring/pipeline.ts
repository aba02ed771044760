import type { z } from "zod";
import type { Dialect } from "./contract/dialect.ts";
import type { End } from "./end.ts";
import { SignalboxError } from "./errors.ts";
import { type PhaseSpec, phasesOf } from "./phases.ts";
import { never, type Retry } from "./retry.ts";
import type { Role } from "./role.ts";
import type { Verbs } from "./verbs.ts";

export type PipelineSpec<Input> = {
  readonly name: string;
  /** One line for `pipelines list`. */
  readonly about: string;
  readonly version: number;
  readonly input: z.ZodType<Input>;
  /** How this pipeline's agents write their contracts. */
  readonly dialect: Dialect;
  readonly phases: readonly PhaseSpec[];
  /** How many agents may work at once. */
  readonly cap: number;
  /** What a dispatch does after a failure unless it says otherwise. */
  readonly retry?: Retry;
  /** Lines for git's own list of what this clone ignores: where the engine keeps its books in the checkout. */
  readonly excludes?: readonly string[];
  /** The pipeline's knobs: a JSON file of the checkout, and what an empty one stands for. */
  readonly policy?: { readonly file: string; readonly schema: z.ZodType };
};

export type Pipeline<Input = unknown> = Omit<PipelineSpec<Input>, "retry"> & {
  readonly retry: Retry;
  readonly roles: readonly Role<unknown, unknown, boolean>[];
  readonly body: (verbs: Verbs<Input>) => Promise<End>;
};

export function definePipeline<Input>(
  spec: PipelineSpec<Input>,
  body: (verbs: Verbs<Input>) => Promise<End>,
): Pipeline<Input> {
  if (!/^[a-z][a-z0-9-]*$/.test(spec.name)) {
    throw invalid(`The pipeline name "${spec.name}" is not lower-case words with dashes.`);
  }
  if (!Number.isInteger(spec.cap) || spec.cap < 1) {
    throw invalid(`The pipeline ${spec.name} cannot let ${spec.cap} agents work at once.`);
  }
  phasesOf(spec.name, spec.phases);
  const roles = uniqueRoles(
    spec.name,
    spec.phases.flatMap((phase) => phase.roles ?? []),
  );
  return { ...spec, retry: spec.retry ?? never(), roles, body };
}

function uniqueRoles(
  pipeline: string,
  roles: readonly Role<unknown, unknown, boolean>[],
): Role<unknown, unknown, boolean>[] {
  const byName = new Map<string, Role<unknown, unknown, boolean>>();
  for (const role of roles) {
    const known = byName.get(role.name);
    if (known && known !== role)
      throw invalid(`The pipeline ${pipeline} declares two different roles named "${role.name}".`);
    byName.set(role.name, role);
  }
  return [...byName.values()];
}

function invalid(message: string): SignalboxError {
  return new SignalboxError("PIPELINE_INVALID", message, "Change the declaration given to definePipeline.");
}
