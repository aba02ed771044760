import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { RunRow } from "../../core/ports/host.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatTime } from "../../surfaces/terminal/duration.ts";
import { foldRun } from "./fold-run.ts";
import type { RunStore } from "./run-store.ts";

type RunEndInputs = Pick<RunStore, "host" | "world">;
export type FinishedRecord = JournalRecord<"run.finished">;

/** Rejects a command for an ended run and reports how and when it ended. */
export async function refuseEnded(inputs: RunEndInputs, row: RunRow): Promise<void> {
  if (!FINISHED.some((status) => status === row.status)) return;
  const end = await findRunEnd(inputs, row.id);
  if (end) throw createRunEndedError(end, inputs.world.now());
}

/** Returns undefined while the run has not ended. */
export async function findRunEnd(
  { host }: Pick<RunEndInputs, "host">,
  run: string,
): Promise<FinishedRecord | undefined> {
  const { end } = await foldRun(host, run);
  return end?.type === "run.finished" ? end : undefined;
}

export function createRunEndedError({ run, status, reason, ts }: FinishedRecord, now: number): SignalboxError {
  // The reason of a canceled run already says so.
  const how = [...(status === "canceled" && reason ? [] : [status]), ...(reason ? [toOneLine(reason)] : [])].join(", ");
  return new SignalboxError(
    "RUN_ENDED",
    `Run ${run} ended at ${formatTime(ts, now)}: ${how}.`,
    `The command had no effect. See \`signalbox status ${run}\`, or start a new run.`,
  );
}
