import type { z } from "zod";
import type { Dialect } from "../contract/dialect.ts";
import { SignalboxError } from "../failure/errors.ts";
import type { End } from "./end.ts";
import { createPhases, type PhaseSpec } from "./phases.ts";
import { never, type Retry } from "./retry.ts";
import type { Role } from "./role.ts";
import type { Verbs } from "./verbs.ts";

export type PipelineSpec<Input> = DescriptionFields & {
  readonly name: string;
  /** Version number chosen by the author. Default: 1. */
  readonly version?: number;
  readonly input: z.ZodType<Input>;
  /** Dialect of this pipeline's contracts. Default: `json`. */
  readonly dialect?: Dialect;
  readonly phases: readonly PhaseSpec[];
  /** Maximum number of agents that run at once. Default: 4. */
  readonly cap?: number;
  /** Default reaction of a dispatch to a failure. */
  readonly retry?: Retry;
  /** Maximum rounds of each loop, by name. Informational, for `pipelines show`; the loops enforce it themselves. */
  readonly loops?: Readonly<Record<string, number>>;
  /** Prerequisites that the pipeline cannot provide itself. They are reported before anything starts. */
  readonly needs?: PipelineNeeds;
  /**
   * Patterns for git's list of ignored files (`info/exclude`), added when a run starts: the files that the engine
   * writes into the checkout for this run. Name only the run's own folder; a wider pattern would hide files of the
   * user.
   */
  readonly excludes?: readonly string[] | ((input: Input) => readonly string[]);
  /**
   * Globs of documents that record how the work was done and are not part of it. A team may put them into a separate
   * commit, below a folder, or into no commit. Do not list files that later runs read again.
   */
  readonly documents?: readonly string[];
  /**
   * Changed, uncommitted files of the checkout that the pipeline reads. In a team their content travels with the run.
   * Default: all of them except ignored files.
   */
  readonly looksAt?: (input: Input) => readonly string[];
  /** Settings of the pipeline: a JSON file of the checkout, and the schema that also defines the defaults. */
  readonly policy?: { readonly file: string; readonly schema: z.ZodType };
};

export type PipelineNeeds = { readonly commands?: readonly NeededCommand[] };

/** Command of the project that the pipeline needs, by name. */
export type NeededCommand = {
  readonly name: string;
  /** Consequence for a run without the command, as half a sentence. */
  readonly because: string;
  /** Policy setting that makes the command optional when it is true: `build_gate.accept_not_available`. */
  readonly unless?: string;
};

type DescriptionFields =
  /** One line for `pipelines list`, as for a role. */
  | { readonly does: string; readonly about?: string }
  /** @deprecated Use `does`: `about` names the subject of a gate. */
  | { readonly about: string; readonly does?: string };

type DefaultedFields = "version" | "dialect" | "cap" | "retry";

export type Pipeline<Input = unknown> = Omit<PipelineSpec<Input>, DefaultedFields | "does" | "about"> &
  Required<Pick<PipelineSpec<Input>, DefaultedFields>> & {
    readonly does: string;
    readonly roles: readonly Role<unknown, unknown, boolean>[];
    readonly body: (verbs: Verbs<Input>) => Promise<End>;
  };

/**
 * Lists the ignore patterns that a run with this input adds. Returns none for invalid input, because that run is
 * refused.
 */
export function listExcludes({ excludes = [], input: schema }: Pipeline, input: unknown): readonly string[] {
  if (typeof excludes !== "function") return excludes;
  const parsed = schema.safeParse(input);
  return parsed.success ? excludes(parsed.data) : [];
}

export function definePipeline<Input>(
  given: PipelineSpec<Input>,
  body: (verbs: Verbs<Input>) => Promise<End>,
): Pipeline<Input> {
  const { about = "", does = about, ...rest } = given;
  const spec = { ...DEFAULTS, ...rest, retry: rest.retry ?? never() };
  if (!/^[a-z][a-z0-9-]*$/.test(spec.name)) {
    throw createPipelineError(`The pipeline name "${spec.name}" must consist of lower-case words and dashes.`);
  }
  if (!Number.isInteger(spec.cap) || spec.cap < 1) {
    throw createPipelineError(`The pipeline ${spec.name} has an invalid cap: ${spec.cap} agents at once.`);
  }
  createPhases(spec.name, spec.phases);
  const roles = requireUniqueRoles(
    spec.name,
    spec.phases.flatMap((phase) => phase.roles ?? []),
  );
  return { ...spec, does, roles, body };
}

const DEFAULTS = { version: 1, dialect: "json", cap: 4 } as const;

function requireUniqueRoles(
  pipeline: string,
  roles: readonly Role<unknown, unknown, boolean>[],
): Role<unknown, unknown, boolean>[] {
  const byName = new Map<string, Role<unknown, unknown, boolean>>();
  for (const role of roles) {
    const known = byName.get(role.name);
    if (known && known !== role)
      throw createPipelineError(`The pipeline ${pipeline} declares two different roles named "${role.name}".`);
    byName.set(role.name, role);
  }
  return [...byName.values()];
}

function createPipelineError(message: string): SignalboxError {
  return new SignalboxError("PIPELINE_INVALID", message, "Change the declaration given to definePipeline.");
}
