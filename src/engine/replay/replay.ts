import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { type ErrorCode, SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host, RunRow, StampedRecord } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { canonical } from "../../core/text/json.ts";
import { driveToConclusion } from "../drive/drive.ts";
import { createDivergedError } from "./guards.ts";

export type ReplayResult = { readonly ok: true } | { readonly ok: false; readonly error: SignalboxError };

/**
 * Runs today's code of a pipeline over the journal of a finished run, without effects or storage. Code that asks for
 * anything the journal does not have, or ends in another way, would have broken that run.
 * @rule L-48 (code) The same answers and rows lead the same way, however often they are replayed.
 */
export async function replayJournal(order: {
  readonly records: readonly JournalRecord[];
  readonly pipeline: Pipeline;
  readonly world: World;
}): Promise<ReplayResult> {
  const { records, pipeline, world } = order;
  const run = records[0]?.run ?? "";
  const finished = records.findLast((record) => record.type === "run.finished");
  const fresh: StampedRecord[] = [];
  const host = createHistoryHost(records, fresh);
  const parts = {
    host,
    world,
    pipelines: (name: string) => (name === pipeline.name ? pipeline : undefined),
    performer: { perform: () => refuseEffect(run), recover: () => refuseEffect(run) },
    owner: "replay",
    waits: false,
    patient: false,
    replays: true as const,
  };
  try {
    await driveToConclusion(parts, run, new AbortController().signal);
  } catch (error) {
    return { ok: false, error: toSignalboxError(error) };
  }
  const end = fresh.findLast((record) => record.type === "run.finished");
  if (endText(end) === endText(finished)) return { ok: true };
  return {
    ok: false,
    error: createDivergedError(run, `the end ${end?.status ?? "none"}`, `the end ${finished?.status ?? "none"}`),
  };
}

/** Records that a replay may add: the start of an engine, and the end of the run. */
const ADDED: ReadonlySet<string> = new Set(["engine.started", "run.finished", "run.suspended"]);

function createHistoryHost(records: readonly JournalRecord[], fresh: StampedRecord[]): Host {
  const run = records[0]?.run ?? "";
  const past = records.filter((record) => record.type !== "run.finished");
  const rejectUse = async (): Promise<never> => refuseEffect(run);
  return {
    name: "history",
    interruptions: Number.POSITIVE_INFINITY,
    leaseMs: 3_600_000,
    serve: async () => {},
    drive: rejectUse,
    runs: {
      create: rejectUse,
      get: async (): Promise<RunRow | undefined> => undefined,
      list: async () => [],
      claim: async (id, owner) => ({ won: true, lease: { run: id, owner, fence: 0 } }),
      renew: async () => true,
      release: async () => {},
    },
    journal: {
      load: async () => past,
      page: rejectUse,
      append: async (_claim, added) => {
        const other = added.find((record) => !ADDED.has(record.type));
        if (other) throw createDivergedError(run, "key" in other ? other.key : other.type, "nothing");
        fresh.push(...added);
      },
      follow: () => {
        throw refuseEffect(run);
      },
    },
    effects: { start: rejectUse, resume: rejectUse },
    inbox: {
      post: rejectUse,
      unread: async () => [],
      read: rejectUse,
      changed: (_run, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
    },
    ledger: { ask: rejectUse, rows: rejectUse },
    blobs: { put: rejectUse, get: rejectUse },
    close: async () => {},
  };
}

function endText(record: StampedRecord | JournalRecord | undefined): string {
  if (record?.type !== "run.finished") return "";
  const { status, exit, reason, confidence, report } = record;
  return canonical({ status, exit, reason, confidence, report });
}

function refuseEffect(run: string): never {
  throw createDivergedError(run, "a new step", "its end");
}

function toSignalboxError(error: unknown): SignalboxError {
  if (error instanceof SignalboxError) return error;
  const code: ErrorCode = "INTERNAL";
  return new SignalboxError(code, error instanceof Error ? error.message : String(error), "Please report this.", {
    cause: error,
  });
}
