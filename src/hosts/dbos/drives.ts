import type { DriveResult, Handlers, Host } from "../../core/ports/host.ts";
import { runUnknown } from "../refusal.ts";
import type { Database } from "./database.ts";
import { outcomeOf, valueIn } from "./outcome.ts";
import type { Stops } from "./stops.ts";
import type { Bodies, Workflows } from "./workflows.ts";

export type DrivesParts = {
  readonly database: Database;
  readonly stops: Stops;
  readonly queue: string;
  readonly workflows: () => Workflows;
};

/** A drive is a workflow `run:<id>:<n>`. While one is under way, driving joins it; afterwards it begins the next. */
export function dbosDrive(parts: DrivesParts): Host["drive"] {
  const { stops, workflows } = parts;
  return async (run, signal): Promise<DriveResult> => {
    const id = await driveId(parts, run);
    const stop = () => void stops.ask(id).catch(() => undefined);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return valueIn(await workflows().drive(id, run));
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };
}

export function driveBody(handlers: Handlers, stops: Stops): Bodies["drive"] {
  return async (id, run) => {
    const work = await stops.begin(id);
    try {
      return await outcomeOf(() => handlers.drive(run, work.signal), work.signal);
    } finally {
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
  await database.query("UPDATE runs SET drives = greatest(drives, $2), queue = $3 WHERE id = $1", [run, next, queue]);
  return id(next);
}
