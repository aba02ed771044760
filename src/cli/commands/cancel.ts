import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { WriteRequest } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { RunRow } from "../../core/ports/host.ts";
import { createFolderMailbox } from "../../drivers/mailbox/folder-mailbox.ts";
import { createEngine } from "../../engine/engine.ts";
import { removeFolders } from "../../engine/execute/attempt/attempt-folder.ts";
import { getOwnerName } from "../../hosts/sqlite/owner.ts";
import { sweepOrphans } from "../../processes/tag/orphans.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import type { Call } from "../call.ts";
import { createRunEndedError, type FinishedRecord, refuseEnded } from "../runs/ended-run.ts";
import { findRun } from "../runs/find-run.ts";
import { createOrphanCheck, isOwned, type RunStore, withRunStore } from "../runs/run-store.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { anchorJournal } from "../start/anchor-journal.ts";
import { getPersonName } from "../team/person.ts";
import { createRehearsal } from "../team/rehearsal.ts";
import { openPendingEnds } from "../team/worker/pending-ends.ts";

const END_TIMEOUT_MS = 30_000;
/** Interval after which the run's owner is checked again. */
const OWNER_CHECK_MS = 1_000;

export async function cancelRun(
  call: Call,
  runRef: string | undefined,
  flags: { readonly note?: string },
): Promise<number> {
  return withRunStore(call, async (store) => {
    const { host, places, world } = store;
    const row = await findRun(host, places.top, runRef);
    await refuseEnded(store, row);
    const earlier = await host.inbox.post(row.id, {
      kind: "cancel",
      by: getPersonName(store),
      ...(flags.note === undefined ? {} : { note: flags.note }),
    });
    const end = await waitForEnd(store, row);
    // Another person's cancel message came first, or the run ended on its own.
    if (earlier || end.status !== "canceled") throw createRunEndedError(end, world.now());
    const anchored = !(await isEndUnanchored(store, row.id));
    if (call.json) call.emit({ v: 1, run: row.id, status: end.status, reason: end.reason ?? null, anchored });
    else {
      call.print(`${call.paint.green("✓")} ${row.id} ${end.status}${end.reason ? `: ${end.reason}` : ""}`);
      if (!anchored) call.print(`${call.paint.yellow("!")} ${UNANCHORED}`);
    }
    return 0;
  });
}

const UNANCHORED =
  "the end is not anchored yet because the git remote is unreachable; `signalbox land` in this clone anchors it first";

/** Waits for the run's engine to end it, or ends it here if it has none. An engine may start or stop meanwhile. */
async function waitForEnd(store: RunStore, row: RunRow): Promise<FinishedRecord> {
  const { host, world } = store;
  const deadline = world.now() + END_TIMEOUT_MS;
  let [after, now] = [0, row];
  while (world.now() < deadline) {
    now = (await host.runs.get(row.id)) ?? row;
    const end = isOwned(store, now) ? undefined : await endUnownedRun(store, row);
    if (end) return end;
    for await (const record of host.journal.follow(row.id, after, AbortSignal.timeout(OWNER_CHECK_MS))) {
      if (record.type === "run.finished") return record;
      after = record.seq;
    }
  }
  throw new SignalboxError(
    "RUN_OWNED",
    `The engine ${now.owner} has not ended the run ${row.id} within ${END_TIMEOUT_MS / 1000} s.`,
    "The cancel message is posted and will be processed. Check with `signalbox status`, or stop that engine.",
  );
}

/**
 * Ends a run that has no owner: an engine processes its messages and does nothing else. Returns undefined if another
 * engine took the run.
 */
async function endUnownedRun(store: RunStore, row: RunRow): Promise<FinishedRecord | undefined> {
  const { places, world } = store;
  const rehearsal = store.team ? createRehearsal({ ...store, team: store.team }) : undefined;
  const { host } = rehearsal ?? store;
  const records = await host.journal.load(row.id);
  const isOrphan = createOrphanCheck(host);
  if (!store.team) await sweepOrphans(async (cookie) => cookie.startsWith(`${row.id}/`) && isOrphan(cookie), world);
  const rejectEffect = async (): Promise<never> => {
    throw new Error("a canceled run requested an effect");
  };
  const { top: repo, cache } = places;
  const undoWrites = async (_run: string, writes: readonly WriteRequest[]) => {
    const workspace = await gitWorkspace({ repo, cache });
    for (const { path, text, ifHash } of writes) await workspace.write(path, text, ifHash);
  };
  const removeLeftovers = async (run: string) => {
    await createFolderMailbox({ dir: places.mailbox, now: world.now }).withdrawAll(run);
    await removeFolders({ workspace: await gitWorkspace({ repo, cache }), cache }, run);
  };
  // The files of a team's run are on its workers' machines, and the workers clean them up.
  const performer = {
    perform: rejectEffect,
    recover: rejectEffect,
    ...(store.team ? {} : { tidy: removeLeftovers, undo: undoWrites }),
  };
  const engine = createEngine({
    host,
    world,
    performer,
    pipelines: (name) => createPlaceholderPipeline(name, records),
    owner: getOwnerName(),
    waits: false,
    patient: false,
  });
  try {
    await engine.handlers.drive(row.id, new AbortController().signal);
  } catch (error) {
    // Another engine took the run at the same moment, and processes the same message.
    if (error instanceof SignalboxError && error.code === "RUN_OWNED") return undefined;
    throw error;
  }
  if (rehearsal && !(await rehearsal.store(row.id))) return undefined;
  const end = (await store.host.journal.load(row.id)).at(-1);
  if (end?.type !== "run.finished") throw new Error(`the run ${row.id} did not end after its cancel message`);
  if (rehearsal?.wrote(end)) await anchorCanceledEnd(store, end);
  return end;
}

/** Anchors an end that no worker knows of. While the remote is unavailable, a note of it stays in this clone. */
async function anchorCanceledEnd(store: RunStore, { run, seq, chain }: FinishedRecord): Promise<void> {
  const ends = openPendingEnds(store.places);
  await ends.note({ run, chain: `${seq}:${chain}` });
  try {
    await anchorJournal({ host: store.host, workspace: await openRunWorkspace(store) }, run, seq);
    await ends.forget(run);
  } catch (error) {
    if (!(error instanceof SignalboxError) || !error.code.startsWith("REMOTE_")) throw error;
  }
}

async function isEndUnanchored({ team, places }: RunStore, run: string): Promise<boolean> {
  return team !== undefined && (await openPendingEnds(places).all()).some((end) => end.run === run);
}

/** Placeholder pipeline. Ending a run must not require, trust or execute the pipeline's code. */
function createPlaceholderPipeline(name: string, records: readonly JournalRecord[]): Pipeline {
  const started = records.find((record) => record.type === "run.started");
  const rejectStart = async (): Promise<never> => {
    throw new Error("a canceled run was started");
  };
  const none: unknown = { name, version: started?.version ?? 0, phases: [], roles: [], cap: 1, body: rejectStart };
  // The engine reads no other field: the cancel message ends the run before the body starts.
  return none as Pipeline;
}
