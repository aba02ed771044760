import type { Failure } from "../../core/failure/failure.ts";
import type { LedgerRow } from "../../core/journal/ledger.ts";
import type { Run } from "../run.ts";
import type { toDispatchFields } from "./attempt-request.ts";

/** A dispatch with the failures of its earlier attempts. */
export type AttemptedDispatch = ReturnType<typeof toDispatchFields> & {
  readonly startedAt: number;
  readonly failures: readonly Failure[];
};

const NOTES_LIMIT = 1_000;

type DispatchStatus = { readonly status: string; readonly notes?: string };

/**
 * @rule L-23 (code) Every dispatch leaves a telemetry row with its real times.
 * @rule L-49 (code) A telemetry row has its ten columns, and distinguishes a timeout from another error.
 */
export function createTelemetryRow(
  run: Run,
  about: AttemptedDispatch,
  { status, notes = "" }: DispatchStatus,
): LedgerRow {
  const { fields } = about;
  return {
    table: "pipeline_telemetry",
    values: {
      step: about.phase,
      agent: fields.role,
      instance: fields.instance,
      started_at: new Date(about.startedAt).toISOString(),
      completed_at: new Date(run.world.now()).toISOString(),
      status,
      dispatch_count: fields.attempt,
      retry_count: about.failures.length,
      notes,
    },
  };
}

/** Timeouts by the clock, by silence, and of a mailbox task that nobody fetched. */
const TIMED_OUT: ReadonlySet<string> = new Set(["agent_timeout", "agent_silent", "timeout"]);

export function getFailedStatus({ code, message }: Failure): DispatchStatus {
  return { status: TIMED_OUT.has(code) ? "TIMEOUT" : "ERROR", notes: message.slice(0, NOTES_LIMIT) };
}
