import { join } from "node:path";
import type { Dialect } from "../../core/contract/dialect.ts";
import type { AttemptRequest, Effect } from "../../core/effect.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { Definition } from "../../core/ports/definitions.ts";
import type { DispatchOrder } from "../../core/ports/driver.ts";
import type { World } from "../../core/ports/world.ts";
import type { Role } from "../../core/role.ts";
import type { PerformerParts } from "./performer.ts";
import type { Place } from "./place.ts";
import { promptFor, promptToGoOn } from "./prompt.ts";

/** What is known of an attempt before anything is opened for it. */
export type Desk = {
  readonly name: string;
  readonly spool: string;
  readonly role: Role<unknown, unknown, boolean>;
  readonly dialect: Dialect;
  readonly definition: Definition;
  order(place: Pick<Place, "dir" | "home" | "session">): DispatchOrder;
};

export async function prepare(parts: PerformerParts, effect: Effect<"attempt">): Promise<Desk> {
  const { request, run } = effect;
  const { pipeline, role } = roleOf(parts, request);
  const { dialect } = pipeline;
  const definition = await parts.definitions.define(pipeline, role.name, request.instead);
  const name = effectName(parts.world, effect);
  const spool = spoolOf(parts, effect);
  const about = { definition, role, request, dialect };
  return {
    name,
    spool,
    role,
    dialect,
    definition,
    order: ({ dir, home, session }) => ({
      ...request,
      effect: effect.id,
      run,
      dialect,
      ...(definition.signature === undefined ? {} : { signature: definition.signature }),
      ...(definition.model === undefined ? {} : { model: definition.model }),
      ...(session === undefined ? {} : { session }),
      prompt: session === undefined ? promptFor(about) : promptToGoOn(about),
      cwd: dir,
      home,
      spool,
    }),
  };
}

type Named = Pick<Effect, "id" | "run">;

/** Keys hold spaces and slashes; a hash is a folder's name on every system. */
export function effectName(world: World, { id, run }: Named): string {
  return `${run}-${world.hash(id).slice(0, HASH_DIGITS)}`;
}

const HASH_DIGITS = 16;

export function isNameOf(name: string, run: string): boolean {
  return name.startsWith(`${run}-`) && new RegExp(`^[0-9a-f]{${HASH_DIGITS}}$`).test(name.slice(run.length + 1));
}

export function spoolOf(parts: PerformerParts, effect: Named): string {
  return join(parts.runs, effect.run, "spool", effectName(parts.world, effect));
}

export function roleOf(parts: PerformerParts, request: AttemptRequest) {
  const pipeline = parts.pipelines(request.pipeline);
  const role = pipeline?.roles.find((each) => each.name === request.role);
  if (pipeline && role) return { pipeline, role };
  throw new SignalboxError(
    "PIPELINE_UNKNOWN",
    `This machine has no role "${request.role}" in a pipeline "${request.pipeline}".`,
    "Use the same version of signalbox and of the repository's pipelines everywhere.",
  );
}
