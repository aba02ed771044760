import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriveResult, Handlers, Host } from "../../core/ports/host.ts";
import { runUnknown } from "../errors.ts";
import { outcomeOf, valueIn } from "./outcome.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import type { Bodies, Workflows } from "./workflows.ts";

export type DrivesParts = {
  readonly database: Database;
  readonly stops: StopSignals;
  readonly queue: string;
  readonly workflows: () => Workflows;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

/** A drive is a workflow `run:<id>:<n>`. While one is under way, driving joins it; afterwards it begins the next. */
export function dbosDrive(parts: DrivesParts): Host["drive"] {
  const { stops, workflows, closing } = parts;
  return async (run, signal): Promise<DriveResult> => {
    const id = await driveId(parts, run);
    const stop = () => void stops.ask(id).catch(() => undefined);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return valueIn(await workflows().drive(id, run));
    } catch (error) {
      throw closing.aborted ? closedUnder(run, error) : error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };
}

const closedUnder = (run: string, cause: unknown): SignalboxError =>
  new SignalboxError(
    "INTERNAL",
    `The host was closed while it waited for run ${run} to end or suspend.`,
    "Nothing is lost: drive the run again, from here or any other process.",
    { cause },
  );

export type DriveBodyParts = { readonly database: Database; readonly handlers: Handlers; readonly stops: StopSignals };

export function driveBody({ database, handlers, stops }: DriveBodyParts): Bodies["drive"] {
  return async (id, run) => {
    const work = await stops.begin(id);
    try {
      return await outcomeOf(() => handlers.drive(run, work.signal), work.signal);
    } finally {
      // A worker that is shut down leaves its runs to those that wake parked ones.
      if (work.abandoned()) await database.query("UPDATE runs SET abandoned = TRUE WHERE id = $1", [run]);
      await work.end();
    }
  };
}

async function driveId({ database, queue, workflows }: DrivesParts, run: string): Promise<string> {
  const [row] = await database.query<{ drives: number }>("SELECT drives FROM runs WHERE id = $1", [run]);
  if (!row) throw runUnknown(run);
  const id = (n: number) => `run:${run}:${n}`;
  const seen = await workflows().see(id(row.drives));
  if (seen?.active) return id(row.drives);
  const next = row.drives + 1;
  // Two that come here at once get the same number, and so the same workflow.
  await database.query("UPDATE runs SET drives = greatest(drives, $2), queue = $3, abandoned = FALSE WHERE id = $1", [
    run,
    next,
    queue,
  ]);
  return id(next);
}
