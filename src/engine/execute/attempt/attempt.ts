import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AttemptResult, Effect } from "../../../core/journal/effect.ts";
import type { AgentEvent } from "../../../core/ports/driver.ts";
import type { CleanupQueue } from "../cleanup-queue.ts";
import type { ExecutorParts } from "../executor.ts";
import { needsRoom } from "../free-space.ts";
import { sandboxFor } from "../sandbox.ts";
import { scrubSpool } from "../scrub.ts";
import { unlessStopped } from "../unless-stopped.ts";
import { attemptEnv } from "./attempt-env.ts";
import {
  type AttemptFolder,
  apartIn,
  inheritedFolder,
  keepResult,
  leftFolder,
  newFolder,
  putAside,
} from "./attempt-folder.ts";
import { keepPrompt } from "./kept-prompt.ts";
import { shownFiles } from "./laid-files.ts";
import { type PreparedAttempt, prepare } from "./prepare-attempt.ts";
import type { Mending } from "./prompt.ts";
import { judge, problemOf } from "./read-result.ts";
import { converse, repairSpools } from "./turns-with-repair.ts";

/** Checks out the tree, runs the agent and takes the snapshot: one effect, because they share a disk. */
export async function executeAttempt(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  { signal, cleanup }: { readonly signal: AbortSignal; readonly cleanup: CleanupQueue },
): Promise<AttemptResult> {
  const startedAt = parts.world.now();
  const prepared = await prepare(parts, effect);
  const { variables, release } = await attemptEnv(parts, effect);
  const work = { parts, effect, prepared, variables, signal, cleanup, startedAt };
  try {
    const inherited = await inheritedFolder(parts, effect, prepared);
    const result = inherited && (await runInFolder(inherited, work));
    if (result) return result;
    if (inherited) await putAside(prepared);
    // Never undefined here: `workIn` returns undefined only when a session is resumed.
    return (await runInFolder(await newFolder(parts, effect, prepared), work)) as AttemptResult;
  } finally {
    release();
  }
}

/**
 * Adopts an attempt of an engine that is gone: takes the answer if the agent finished by itself, or leaves the work to
 * be continued.
 * @rule A-17 (policy) An interrupted attempt that was complete is taken. Any other is discarded or continued, and
 *   counted once.
 */
export async function adoptAttempt(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  { signal, cleanup }: { readonly signal: AbortSignal; readonly cleanup: CleanupQueue },
): Promise<AttemptResult> {
  const startedAt = parts.world.now();
  const prepared = await prepare(parts, effect);
  const folder = await leftFolder(parts, effect, prepared);
  let kept = false;
  try {
    if (folder?.result) return await publishResult(parts, effect, markAdopted(folder.result));
    const last = folder && (await findLastTurn(parts, prepared, folder));
    const outside = folder && (await isStillRunning(prepared, folder));
    // An agent outside the engine can still fix its answer, so this engine waits for it as the other one did.
    if (last && !(outside && (await isMendable(parts, effect, { prepared, last, dir: folder.dir }))))
      return await adoptFinishedTurn(parts, effect, { prepared, folder, last });
    if (folder && outside) {
      kept = true;
      return await waitForExternal({ parts, effect, prepared, signal, cleanup, startedAt }, folder);
    }
    const session = folder && (await leaveSession(parts, prepared, folder));
    kept = session !== undefined;
    return createInterruptedResult(session);
  } finally {
    await parts.processes.sweep(effect.id);
    await scrubSpool(parts, prepared.spool);
    // If the adoption itself is stopped, the folder stays as it was found.
    if (!kept && !signal.aborted) await folder?.close();
  }
}

/** Pins the tree of a result: the engine that noted it may have died before it did. */
async function publishResult(
  { workspace }: ExecutorParts,
  { run }: Effect<"attempt">,
  result: AttemptResult,
): Promise<AttemptResult> {
  const tree = result.outcome === "done" ? result.after : result.outcome === "failed" ? result.kept : undefined;
  if (tree !== undefined) await workspace.pin(run, tree);
  return result;
}

async function adoptFinishedTurn(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  { prepared, folder, last }: { prepared: PreparedAttempt; folder: AttemptFolder; last: AgentEvent },
): Promise<AttemptResult> {
  const judged = await judge(parts, effect, { prepared, ...folder, last, repairs: 0, ms: 0 });
  await prepared.definition.driver.settle?.(prepared.order(folder), getProblem(judged));
  return markAdopted(addAgentName(prepared, judged));
}

/** Returns the newest turn that ended by itself: a complete repair counts more than the answer that it repaired. */
async function findLastTurn(
  parts: ExecutorParts,
  { definition: { driver }, order }: PreparedAttempt,
  folder: AttemptFolder,
): Promise<AgentEvent | undefined> {
  const first = order(folder);
  for (const { spool, number } of repairSpools(first.spool)) {
    const last =
      number === 0 || existsSync(spool) ? await driver.adopt({ ...first, spool }, parts.processes) : undefined;
    if (number === 0 || last?.type === "turn.finished") return last;
  }
  return undefined;
}

async function isMendable(
  parts: ExecutorParts,
  { request }: Effect<"attempt">,
  { prepared, last, dir }: { prepared: PreparedAttempt; last: AgentEvent; dir: string },
): Promise<boolean> {
  if (last.type !== "turn.finished" || !prepared.definition.driver.can.again) return false;
  return (await problemOf(parts, { prepared, request, text: last.text, dir })) !== undefined;
}

const getProblem = (result: AttemptResult): string | undefined =>
  result.outcome === "failed" ? result.failure.message : undefined;

/** Waits for an agent outside the engine. The attempt was never interrupted for it, so it is not started again. */
async function waitForExternal(work: Omit<AttemptContext, "variables">, folder: AttemptFolder): Promise<AttemptResult> {
  const { variables, release } = await attemptEnv(work.parts, work.effect);
  try {
    // Never undefined here: only a refused session gives undefined, and none is resumed.
    return (await runInFolder(folder, { ...work, variables })) as AttemptResult;
  } finally {
    release();
  }
}

type AttemptContext = {
  readonly parts: ExecutorParts;
  readonly effect: Effect<"attempt">;
  readonly prepared: PreparedAttempt;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly cleanup: CleanupQueue;
  readonly startedAt: number;
};

/** Undefined if the session to resume was refused: no work was done in it then. */
async function runInFolder(folder: AttemptFolder, work: AttemptContext): Promise<AttemptResult | undefined> {
  const { parts, effect, prepared, signal } = work;
  let kept = false;
  try {
    const { dir, home, isShared } = folder;
    const order = prepared.order(folder, work.variables);
    await keepPrompt(parts, order, { laid: folder.laid, from: isShared ? apartIn(home) : dir });
    const processes = await sandboxFor({
      ...parts,
      sandboxPaths: parts.sandboxPaths,
      dir,
      home,
      network: "all",
      writes: effect.request.writes,
      shared: toSharedMounts(folder),
    });
    const { driver } = prepared.definition;
    const findProblem = (text: string) => problemOf(parts, { prepared, request: effect.request, text, dir });
    const formatRepair = (about: Mending) => prepared.mending(about, folder.laid);
    const { last, repairs, heard } = await converse({
      driver,
      order,
      processes,
      signal,
      unusable: findProblem,
      mending: formatRepair,
    });
    if (!signal.aborted && folder.session !== undefined && !heard) return undefined;
    const ms = parts.world.now() - work.startedAt;
    const judged = await unlessStopped(signal, () => judge(parts, effect, { prepared, ...folder, last, repairs, ms }));
    if (!judged && (await isStillRunning(prepared, folder))) {
      kept = true;
      await folder.leave?.();
      return { outcome: "interrupted", outlives: true };
    }
    if (!judged) {
      const session = await leaveSession(parts, prepared, folder);
      kept = session !== undefined;
      return createInterruptedResult(session);
    }
    const result = addAgentName(prepared, judged);
    if (result.outcome === "failed") await needsRoom(parts.cache);
    await keepResult(prepared, folder, result);
    await driver.settle?.(order, getProblem(result));
    return result;
  } finally {
    await scrubSpool(parts, prepared.spool);
    // Removing installed packages takes seconds, and the answer is complete already.
    if (!kept) work.cleanup.add(() => folder.close());
  }
}

/**
 * Returns what a sandbox shows of a shared checkout: agents that write a part see the whole in its place, and that part
 * in it; readers see the files written for them.
 */
function toSharedMounts({ dir, home, part, isShared }: AttemptFolder) {
  if (part) {
    const own = part.own.map((path) => ({ from: join(dir, path), at: join(dir, path), writable: true }));
    return { of: part.of, shown: [{ from: part.of, at: dir }, ...own] };
  }
  return isShared ? { of: dir, shown: shownFiles({ dir, apart: apartIn(home) }) } : undefined;
}

async function isStillRunning(
  { definition: { driver }, order }: PreparedAttempt,
  folder: AttemptFolder,
): Promise<boolean> {
  return driver.name === folder.driver && (await driver.outlives?.(order(folder))) === true;
}

/** Leaves the folder to the next attempt, if that can resume the conversation of this one. */
async function leaveSession(
  parts: ExecutorParts,
  prepared: PreparedAttempt,
  folder: AttemptFolder,
): Promise<string | undefined> {
  const { driver } = prepared.definition;
  if (!driver.session || driver.name !== folder.driver || !folder.leave) return undefined;
  const session = (await driver.session(prepared.order(folder), parts.processes)) ?? folder.session;
  if (session !== undefined) await folder.leave();
  return session;
}

function createInterruptedResult(session: string | undefined): AttemptResult {
  return session === undefined ? { outcome: "interrupted" } : { outcome: "interrupted", session };
}

function addAgentName({ definition: { driver, model } }: PreparedAttempt, result: AttemptResult): AttemptResult {
  if (result.outcome === "interrupted") return result;
  return { ...result, by: model === undefined ? driver.name : `${driver.name}:${model}` };
}

function markAdopted(result: AttemptResult): AttemptResult {
  return result.outcome === "done" ? { ...result, adopted: true } : result;
}
