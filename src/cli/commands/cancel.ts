import { SignalboxError } from "../../core/errors.ts";
import type { Pipeline } from "../../core/pipeline.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { JournalRecord } from "../../core/record.ts";
import { createEngine } from "../../engine/engine.ts";
import { removePlaces } from "../../engine/perform/place.ts";
import { ownerName } from "../../hosts/sqlite/owner.ts";
import { sweepOrphans } from "../../processes/orphans.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import { type Book, isOwned, orphansOf, withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { findRun } from "../runs.ts";
import { userName } from "../user-name.ts";
import { refuseEnded } from "./resume.ts";

const PATIENCE_MS = 30_000;

export async function cancel(
  call: Call,
  asked: string | undefined,
  flags: { readonly note?: string },
): Promise<number> {
  return withBook(call, async (book) => {
    const { host, places, world } = book;
    const row = await findRun(host, places.top, asked);
    refuseEnded(row);
    await host.inbox.post(row.id, {
      kind: "cancel",
      by: userName(),
      ...(flags.note === undefined ? {} : { note: flags.note }),
    });
    const end = isOwned(row, world.now()) ? await endedElsewhere(book, row) : await endHere(book, row);
    // It came to its own end before the word was read.
    if (end.status !== "canceled") refuseEnded({ ...row, status: end.status, reason: end.reason ?? null });
    if (call.json) call.emit({ v: 1, run: row.id, status: end.status, reason: end.reason ?? null });
    else call.print(`${call.paint.green("✓")} ${row.id} ${end.status}${end.reason ? `: ${end.reason}` : ""}`);
    return 0;
  });
}

type End = JournalRecord<"run.finished">;

async function endedElsewhere({ host }: Book, row: RunRow): Promise<End> {
  for await (const record of host.journal.follow(row.id, 0, AbortSignal.timeout(PATIENCE_MS))) {
    if (record.type === "run.finished") return record;
  }
  throw new SignalboxError(
    "RUN_OWNED",
    `The engine ${row.owner} has not ended the run ${row.id} within ${PATIENCE_MS / 1000} s.`,
    "The word is posted and will be read; look again with `signalbox status`, or stop that engine.",
  );
}

/** Nobody owns it: an engine that reads its letters and does nothing else ends it at once. */
async function endHere(book: Book, row: RunRow): Promise<End> {
  const { host, places, world } = book;
  const records = await host.journal.load(row.id);
  const isOrphan = orphansOf(host);
  await sweepOrphans(async (cookie) => cookie.startsWith(`${row.id}/`) && isOrphan(cookie), world);
  const nothing = async (): Promise<never> => {
    throw new Error("a canceled run was asked to do something");
  };
  const { top: repo, cache } = places;
  const tidy = async (run: string) => removePlaces({ workspace: await gitWorkspace({ repo, cache }), cache }, run);
  const performer = { perform: nothing, recover: nothing, tidy };
  const engine = createEngine({
    host,
    world,
    performer,
    pipelines: (name) => unread(name, records),
    owner: ownerName(),
    waits: false,
    patient: false,
  });
  await host.serve(engine.handlers);
  try {
    await host.drive(row.id);
  } catch (error) {
    // Somebody else took it up at this very moment, and reads the same word.
    if (error instanceof SignalboxError && error.code === "RUN_OWNED") return endedElsewhere(book, row);
    throw error;
  }
  const end = (await host.journal.load(row.id)).at(-1);
  if (end?.type === "run.finished") return end;
  throw new Error(`the run ${row.id} was told to end and did not`);
}

/** Stands for the pipeline, whose code must not be needed, trusted or run to end one of its runs. */
function unread(name: string, records: readonly JournalRecord[]): Pipeline {
  const started = records.find((record) => record.type === "run.started");
  const body = async (): Promise<never> => {
    throw new Error("a canceled run was started");
  };
  const none: unknown = { name, version: started?.version ?? 0, phases: [], roles: [], cap: 1, body };
  // The engine reads nothing else of it: the letter ends the run before the body would begin.
  return none as Pipeline;
}
