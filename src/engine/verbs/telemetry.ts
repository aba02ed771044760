import type { Failure } from "../../core/failure.ts";
import type { LedgerRow } from "../../core/ledger.ts";
import type { Run } from "../run.ts";
import type { dispatchFields } from "./attempt-request.ts";

/** A dispatch with what became of its earlier attempts. */
export type About = ReturnType<typeof dispatchFields> & {
  readonly startedAt: number;
  readonly failures: readonly Failure[];
};

const NOTES_LIMIT = 1_000;

export function telemetry(run: Run, about: About, failure?: Failure, contract?: unknown): LedgerRow {
  const { fields } = about;
  return {
    table: "pipeline_telemetry",
    values: {
      step: about.phase,
      agent: fields.role,
      instance: fields.instance,
      started_at: new Date(about.startedAt).toISOString(),
      completed_at: new Date(run.world.now()).toISOString(),
      status: telemetryStatus(failure, contract),
      dispatch_count: fields.attempt,
      retry_count: about.failures.length,
      notes: failure ? failure.message.slice(0, NOTES_LIMIT) : "",
    },
  };
}

/** By the clock, by silence, and of somebody who never came for it. */
const TIMED_OUT: ReadonlySet<string> = new Set(["agent_timeout", "agent_silent", "timeout"]);

function telemetryStatus(failure: Failure | undefined, contract: unknown): string {
  if (failure) return TIMED_OUT.has(failure.code) ? "TIMEOUT" : "ERROR";
  const said = JSON.stringify(contract ?? null);
  return said.includes('"NEEDS_REVISION"') ? "NEEDS_REVISION" : "DONE";
}
