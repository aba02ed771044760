import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AttemptResult, Effect } from "../../../core/journal/effect.ts";
import type { AgentEvent } from "../../../core/ports/driver.ts";
import type { CleanupQueue } from "../cleanup-queue.ts";
import type { ExecutorDeps } from "../executor.ts";
import { requireWritableSpace } from "../free-space.ts";
import { removeSecrets } from "../remove-secrets.ts";
import { runUnlessStopped } from "../run-unless-stopped.ts";
import { createSandbox } from "../sandbox.ts";
import { listShownFiles } from "./added-files.ts";
import { createAttemptEnv } from "./attempt-env.ts";
import {
  type AttemptFolder,
  createAttemptFolder,
  findLeftFolder,
  keepResult,
  resolvePrivateFolder,
  setAsideTurn,
  takeInheritedFolder,
} from "./attempt-folder.ts";
import { type PreparedAttempt, prepareAttempt } from "./prepare-attempt.ts";
import type { RepairRequest } from "./prompt.ts";
import { findAnswerProblem, judgeTurn } from "./read-result.ts";
import { storePrompt } from "./store-prompt.ts";
import { listTurnSpools, runTurns } from "./turns-with-repair.ts";

/** Checks out the tree, runs the agent and takes the snapshot: one effect, because they share a disk. */
export async function executeAttempt(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  { signal, cleanup }: { readonly signal: AbortSignal; readonly cleanup: CleanupQueue },
): Promise<AttemptResult> {
  const startedAt = parts.world.now();
  const prepared = await prepareAttempt(parts, effect);
  const { variables, release } = await createAttemptEnv(parts, effect);
  const work = { parts, effect, prepared, variables, signal, cleanup, startedAt };
  try {
    const inherited = await takeInheritedFolder(parts, effect, prepared);
    const result = inherited && (await runInFolder(inherited, work));
    if (result) return result;
    if (inherited) await setAsideTurn(prepared);
    // Never undefined here: `workIn` returns undefined only when a session is resumed.
    return (await runInFolder(await createAttemptFolder(parts, effect, prepared), work)) as AttemptResult;
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
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  { signal, cleanup }: { readonly signal: AbortSignal; readonly cleanup: CleanupQueue },
): Promise<AttemptResult> {
  const startedAt = parts.world.now();
  const prepared = await prepareAttempt(parts, effect);
  const folder = await findLeftFolder(parts, effect, prepared);
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
    await removeSecrets(parts, prepared.spool);
    // If the adoption itself is stopped, the folder stays as it was found.
    if (!kept && !signal.aborted) await folder?.close();
  }
}

/** Pins the tree of a result: the engine that noted it may have died before it did. */
async function publishResult(
  { workspace }: ExecutorDeps,
  { run }: Effect<"attempt">,
  result: AttemptResult,
): Promise<AttemptResult> {
  const tree = result.outcome === "done" ? result.after : result.outcome === "failed" ? result.kept : undefined;
  if (tree !== undefined) await workspace.pin(run, tree);
  return result;
}

async function adoptFinishedTurn(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  { prepared, folder, last }: { prepared: PreparedAttempt; folder: AttemptFolder; last: AgentEvent },
): Promise<AttemptResult> {
  const judged = await judgeTurn(parts, effect, { prepared, ...folder, last, repairs: 0, ms: 0 });
  await prepared.definition.driver.settle?.(prepared.order(folder), getProblem(judged));
  return markAdopted(addAgentName(prepared, judged));
}

/** Returns the newest turn that ended by itself: a complete repair counts more than the answer that it repaired. */
async function findLastTurn(
  parts: ExecutorDeps,
  { definition: { driver }, order }: PreparedAttempt,
  folder: AttemptFolder,
): Promise<AgentEvent | undefined> {
  const first = order(folder);
  for (const { spool, number } of listTurnSpools(first.spool)) {
    const last =
      number === 0 || existsSync(spool) ? await driver.adopt({ ...first, spool }, parts.processes) : undefined;
    if (number === 0 || last?.type === "turn.finished") return last;
  }
  return undefined;
}

async function isMendable(
  parts: ExecutorDeps,
  { request }: Effect<"attempt">,
  { prepared, last, dir }: { prepared: PreparedAttempt; last: AgentEvent; dir: string },
): Promise<boolean> {
  if (last.type !== "turn.finished" || !prepared.definition.driver.can.again) return false;
  return (await findAnswerProblem(parts, { prepared, request, text: last.text, dir })) !== undefined;
}

const getProblem = (result: AttemptResult): string | undefined =>
  result.outcome === "failed" ? result.failure.message : undefined;

/** Waits for an agent outside the engine. The attempt was never interrupted for it, so it is not started again. */
async function waitForExternal(work: Omit<AttemptContext, "variables">, folder: AttemptFolder): Promise<AttemptResult> {
  const { variables, release } = await createAttemptEnv(work.parts, work.effect);
  try {
    // Never undefined here: only a refused session gives undefined, and none is resumed.
    return (await runInFolder(folder, { ...work, variables })) as AttemptResult;
  } finally {
    release();
  }
}

type AttemptContext = {
  readonly parts: ExecutorDeps;
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
    await storePrompt(parts, order, { laid: folder.laid, from: isShared ? resolvePrivateFolder(home) : dir });
    const processes = await createSandbox({
      ...parts,
      sandboxPaths: parts.sandboxPaths,
      dir,
      home,
      network: "all",
      writes: effect.request.writes,
      shared: toSharedMounts(folder),
    });
    const { driver } = prepared.definition;
    const findProblem = (text: string) => findAnswerProblem(parts, { prepared, request: effect.request, text, dir });
    const formatRepair = (about: RepairRequest) => prepared.mending(about, folder.laid);
    const { last, repairs, heard } = await runTurns({
      driver,
      order,
      processes,
      signal,
      unusable: findProblem,
      mending: formatRepair,
    });
    if (!signal.aborted && folder.session !== undefined && !heard) return undefined;
    const ms = parts.world.now() - work.startedAt;
    const judged = await runUnlessStopped(signal, () =>
      judgeTurn(parts, effect, { prepared, ...folder, last, repairs, ms }),
    );
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
    if (result.outcome === "failed") await requireWritableSpace(parts.cache);
    await keepResult(prepared, folder, result);
    await driver.settle?.(order, getProblem(result));
    return result;
  } finally {
    await removeSecrets(parts, prepared.spool);
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
  return isShared ? { of: dir, shown: listShownFiles({ dir, apart: resolvePrivateFolder(home) }) } : undefined;
}

async function isStillRunning(
  { definition: { driver }, order }: PreparedAttempt,
  folder: AttemptFolder,
): Promise<boolean> {
  return driver.name === folder.driver && (await driver.outlives?.(order(folder))) === true;
}

/** Leaves the folder to the next attempt, if that can resume the conversation of this one. */
async function leaveSession(
  parts: ExecutorDeps,
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
