import type { z } from "zod";
import type { Dialect } from "../contract/dialect.ts";
import { SignalboxError } from "../failure/errors.ts";
import type { End } from "./end.ts";
import { type PhaseSpec, phasesOf } from "./phases.ts";
import { never, type Retry } from "./retry.ts";
import type { Role } from "./role.ts";
import type { Verbs } from "./verbs.ts";

export type PipelineSpec<Input> = Does & {
  readonly name: string;
  /** A number of your own; without it 1. */
  readonly version?: number;
  readonly input: z.ZodType<Input>;
  /** How this pipeline's agents write their contracts; without it `json`. */
  readonly dialect?: Dialect;
  readonly phases: readonly PhaseSpec[];
  /** How many agents may work at once; without it 4. */
  readonly cap?: number;
  /** What a dispatch does after a failure unless it says otherwise. */
  readonly retry?: Retry;
  /** How often each of its loops goes round at most, by name: for `pipelines show`; the loops themselves hold it. */
  readonly loops?: Readonly<Record<string, number>>;
  /** What it will need and cannot make itself: said before anything starts. Without it nothing. */
  readonly needs?: PipelineNeeds;
  /**
   * Lines for git's own list of what this clone ignores, written when a run starts: the files that the engine writes for
   * the run into the checkout. Name the run's own folder; a wider line would hide files of the user.
   */
  readonly excludes?: readonly string[] | ((input: Input) => readonly string[]);
  /**
   * Globs of what tells how the work was done and is no part of it: the team may have it in a commit of its own, below a
   * folder, or in no commit. What later runs read again does not belong here.
   */
  readonly documents?: readonly string[];
  /**
   * Which files of the checkout it looks at although they are changed and not committed: in a team their content travels
   * with the run. Without it all of them do, except those that git ignores.
   */
  readonly looksAt?: (input: Input) => readonly string[];
  /** The pipeline's knobs: a JSON file of the checkout, and what an empty one stands for. */
  readonly policy?: { readonly file: string; readonly schema: z.ZodType };
};

export type PipelineNeeds = { readonly commands?: readonly NeededCommand[] };

/** A command of the project, by its name. */
export type NeededCommand = {
  readonly name: string;
  /** What becomes of a run without it, as half a sentence. */
  readonly because: string;
  /** The knob of the policy that does without it when it is true: `build_gate.accept_not_available`. */
  readonly unless?: string;
};

type Does =
  /** One line for `pipelines list`, as a role has one. */
  | { readonly does: string; readonly about?: string }
  /** @deprecated Say `does`: what a gate is about is another thing. */
  | { readonly about: string; readonly does?: string };

type Defaulted = "version" | "dialect" | "cap" | "retry";

export type Pipeline<Input = unknown> = Omit<PipelineSpec<Input>, Defaulted | "does" | "about"> &
  Required<Pick<PipelineSpec<Input>, Defaulted>> & {
    readonly does: string;
    readonly roles: readonly Role<unknown, unknown, boolean>[];
    readonly body: (verbs: Verbs<Input>) => Promise<End>;
  };

/** The lines that a run with this input adds to git's list. None for invalid input: its run is refused. */
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
  return { ...spec, does, roles, body };
}

const DEFAULTS = { version: 1, dialect: "json", cap: 4 } as const;

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
