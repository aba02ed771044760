import type { AttemptResult, Effect } from "../../core/effect.ts";
import type { Chores } from "./chores.ts";
import { within } from "./confine.ts";
import { converse } from "./converse.ts";
import { type Desk, prepare } from "./desk.ts";
import { judge, problemOf } from "./judgment.ts";
import { ownVariables } from "./own-variables.ts";
import type { PerformerParts } from "./performer.ts";
import { inheritedPlace, keepResult, leftPlace, newPlace, type Place, putAside } from "./place.ts";
import { needsRoom } from "./room.ts";
import { scrubSpool } from "./scrub.ts";

/** Opens the tree, lets the agent work, takes the snapshot: one effect, because they share a disk. */
export async function performAttempt(
  parts: PerformerParts,
  effect: Effect<"attempt">,
  { signal, chores }: { readonly signal: AbortSignal; readonly chores: Chores },
): Promise<AttemptResult> {
  const startedAt = parts.world.now();
  const desk = await prepare(parts, effect);
  const { variables, release } = await ownVariables(parts, effect);
  const work = { parts, effect, desk, variables, signal, chores, startedAt };
  try {
    const inherited = await inheritedPlace(parts, effect, desk);
    const result = inherited && (await workIn(inherited, work));
    if (result) return result;
    if (inherited) await putAside(desk);
    // Only a conversation that was to be gone on with can be refused, and here one begins.
    return (await workIn(await newPlace(parts, effect, desk), work)) as AttemptResult;
  } finally {
    release();
  }
}

/** The engine that began it is gone: take the answer if the agent had finished by itself, or leave it to be gone on with. */
export async function adoptAttempt(parts: PerformerParts, effect: Effect<"attempt">): Promise<AttemptResult> {
  const desk = await prepare(parts, effect);
  const place = await leftPlace(parts, effect, desk);
  let kept = false;
  try {
    if (place?.result) return adopted(place.result);
    const last = place && (await desk.definition.driver.adopt(desk.order(place), parts.processes));
    if (last) return adopted(played(desk, await judge(parts, effect, { desk, ...place, last, repairs: 0, ms: 0 })));
    const session = place && (await leftSession(parts, desk, place));
    kept = session !== undefined;
    return interrupted(session);
  } finally {
    await parts.processes.sweep(effect.id);
    await scrubSpool(parts, desk.spool);
    if (!kept) await place?.close();
  }
}

type Work = {
  readonly parts: PerformerParts;
  readonly effect: Effect<"attempt">;
  readonly desk: Desk;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly chores: Chores;
  readonly startedAt: number;
};

/** Undefined when the conversation that was to be gone on with came to nothing: then nothing was done in it either. */
async function workIn(place: Place, work: Work): Promise<AttemptResult | undefined> {
  const { parts, effect, desk, signal } = work;
  let kept = false;
  try {
    const { dir, home } = place;
    const order = { ...desk.order(place), variables: work.variables };
    const processes = await within({ ...parts, walls: parts.walls, dir, home, network: "all" });
    const { driver } = desk.definition;
    const unusable = (text: string) => problemOf(parts, { desk, request: effect.request, text });
    const { last, repairs, heard } = await converse({ driver, order, processes, signal, unusable });
    if (signal.aborted) {
      const session = await leftSession(parts, desk, place);
      kept = session !== undefined;
      return interrupted(session);
    }
    if (place.session !== undefined && !heard) return undefined;
    const ms = parts.world.now() - work.startedAt;
    const result = played(desk, await judge(parts, effect, { desk, ...place, last, repairs, ms }));
    if (result.outcome === "failed") await needsRoom(parts.cache);
    await keepResult(desk, place, result);
    return result;
  } finally {
    await scrubSpool(parts, desk.spool);
    // With the packages that an agent installed there it takes seconds, and the answer is complete.
    if (!kept) work.chores.add(() => place.close());
  }
}

/** Leaves the place to the next attempt, where it can go on with the conversation that this one had. */
async function leftSession(parts: PerformerParts, desk: Desk, place: Place): Promise<string | undefined> {
  const { driver } = desk.definition;
  if (!driver.session || driver.name !== place.driver || !place.leave) return undefined;
  const session = (await driver.session(desk.order(place), parts.processes)) ?? place.session;
  if (session !== undefined) await place.leave();
  return session;
}

function interrupted(session: string | undefined): AttemptResult {
  return session === undefined ? { outcome: "interrupted" } : { outcome: "interrupted", session };
}

function played({ definition: { driver, model } }: Desk, result: AttemptResult): AttemptResult {
  if (result.outcome === "interrupted") return result;
  return { ...result, by: model === undefined ? driver.name : `${driver.name}:${model}` };
}

function adopted(result: AttemptResult): AttemptResult {
  return result.outcome === "done" ? { ...result, adopted: true } : result;
}
