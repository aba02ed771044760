import { join } from "node:path";
import type { Role } from "../../../core/authoring/role.ts";
import type { Dialect } from "../../../core/contract/dialect.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { AttemptRequest, Effect } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import type { DispatchOrder } from "../../../core/ports/driver.ts";
import type { World } from "../../../core/ports/world.ts";
import type { ExecutorDeps } from "../executor.ts";
import type { AddedFiles } from "./added-files.ts";
import type { AttemptFolder } from "./attempt-folder.ts";
import { formatContinuePrompt, formatPrompt, formatRepairPrompt, type RepairRequest } from "./prompt.ts";

/** Facts about an attempt before any folder is created for it. */
export type PreparedAttempt = {
  readonly name: string;
  readonly spool: string;
  readonly role: Role<unknown, unknown, boolean>;
  readonly dialect: Dialect;
  readonly definition: Definition;
  /** `variables`: of its environment, if it is to be started. */
  order(folder: OrderFolder, variables?: Readonly<Record<string, string>>): DispatchOrder;
  /** Builds the repair prompt for an agent that does not remember the turn with the unusable answer. */
  mending(mending: RepairRequest, laid: AddedFiles | undefined): string;
};

type OrderFolder = Pick<AttemptFolder, "dir" | "home" | "session" | "laid">;

export async function prepareAttempt(parts: ExecutorDeps, effect: Effect<"attempt">): Promise<PreparedAttempt> {
  const { request, run } = effect;
  const { pipeline, role } = requireRole(parts, request);
  const { dialect } = pipeline;
  const definition = await parts.definitions.define(pipeline, role.name, request.instead);
  const name = hashEffectName(parts.world, effect);
  const spool = resolveEffectSpool(parts, effect);
  const about = { definition, role, request, dialect, environment: parts.environment?.shown };
  return {
    name,
    spool,
    role,
    dialect,
    definition,
    mending: (mending, laid) => formatRepairPrompt({ ...about, laid }, mending),
    order: ({ dir, home, session, laid }, variables) => ({
      ...request,
      effect: effect.id,
      run,
      dialect,
      ...(definition.signature === undefined ? {} : { signature: definition.signature }),
      ...(definition.model === undefined ? {} : { model: definition.model }),
      ...(session === undefined ? {} : { session }),
      prompt: (session === undefined ? formatPrompt : formatContinuePrompt)({ ...about, laid, variables }),
      cwd: dir,
      home,
      spool,
      ...(variables ? { variables } : {}),
    }),
  };
}

type EffectRef = Pick<Effect, "id" | "run">;

/** Hashes the id, because keys contain spaces and slashes. */
export function hashEffectName(world: World, { id, run }: EffectRef): string {
  return `${run}-${world.hash(id).slice(0, HASH_DIGITS)}`;
}

const HASH_DIGITS = 16;

export function isRunFolder(name: string, run: string): boolean {
  return name.startsWith(`${run}-`) && new RegExp(`^[0-9a-f]{${HASH_DIGITS}}$`).test(name.slice(run.length + 1));
}

export function resolveEffectSpool(parts: ExecutorDeps, effect: EffectRef): string {
  return join(parts.spools ?? join(parts.runs, effect.run, "spool"), hashEffectName(parts.world, effect));
}

export function requireRole(parts: ExecutorDeps, request: AttemptRequest) {
  const pipeline = parts.pipelines(request.pipeline);
  const role = pipeline?.roles.find((each) => each.name === request.role);
  if (pipeline && role) return { pipeline, role };
  throw new SignalboxError(
    "PIPELINE_UNKNOWN",
    `This machine has no role "${request.role}" in a pipeline "${request.pipeline}".`,
    "Use the same version of signalbox and of the repository's pipelines everywhere.",
  );
}
