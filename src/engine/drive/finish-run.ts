import { EXIT, getEndExitCode, getSuspensionExitCode } from "../../core/failure/exit-codes.ts";
import type { RecordBody } from "../../core/journal/record.ts";
import type { DriveResult, Lease } from "../../core/ports/host.ts";
import { toStored } from "../../core/text/json.ts";
import type { Conclusion, Run } from "../run.ts";

type FinalRecord = Extract<RecordBody, { type: "run.finished" | "run.suspended" }>;

/** Writes the last record of the run, or throws the error that took the run away from this engine. */
export async function finishRun(run: Run, conclusion: Conclusion, lease: Lease): Promise<DriveResult> {
  if (conclusion.kind === "lost") throw conclusion.error;
  const last = createFinalRecord(run, conclusion);
  if (PUT_DOWN.has(last.status)) recordInterruptions(run, last);
  run.recorder.record(last);
  await run.recorder.durable();
  await run.signals.settled();
  if ("letter" in conclusion) await run.host.inbox.read(lease, [conclusion.letter]);
  if (conclusion.kind === "broken") throw conclusion.error;
  return { status: last.status, exit: last.exit };
}

/** Statuses at which agents may still be running. */
const PUT_DOWN: ReadonlySet<string> = new Set(["interrupted", "broken", "time", "paused"]);

/**
 * An engine that stops also stops its agents. They are asked again later and the interruption is not counted as a
 * failure.
 */
function recordInterruptions(run: Run, { status, reason }: FinalRecord): void {
  const limit = (status === "time" || status === "paused") && reason !== undefined ? { limit: reason } : {};
  for (const fields of run.open.values()) {
    run.recorder.record({ type: "agent.finished", ...fields, outcome: "interrupted", orderly: true, ...limit });
  }
}

function createFinalRecord(run: Run, conclusion: Exclude<Conclusion, { kind: "lost" }>): FinalRecord {
  if (conclusion.kind === "ended") return createFinishedRecord(run, conclusion.end);
  if (conclusion.kind === "unready") {
    const { reason, errors, next } = conclusion;
    const cure = { ...(errors ? { report: { errors: [...errors] } } : {}), ...(next ? { next: [...next] } : {}) };
    return { type: "run.finished", status: "error", exit: EXIT.environment, reason, ...cure };
  }
  if (conclusion.kind === "canceled") {
    const exit = getEndExitCode({ status: "canceled" }, run.started.minConfidence);
    return {
      type: "run.finished",
      status: "canceled",
      exit,
      reason: formatDecision("canceled", conclusion),
      by: conclusion.by,
      ...toRoleField(conclusion),
    };
  }
  if (conclusion.kind === "paused") {
    const reason = formatDecision("paused", conclusion);
    return {
      type: "run.suspended",
      status: "paused",
      exit: getSuspensionExitCode("paused"),
      reason,
      ...toRoleField(conclusion),
    };
  }
  if (conclusion.kind === "broken") {
    const { code, message, hint } = conclusion.error;
    return {
      type: "run.suspended",
      status: "broken",
      exit: getSuspensionExitCode("broken"),
      reason: `${message} ${hint}`,
      code,
    };
  }
  const { status, reason, waiting, code, exit = getSuspensionExitCode(status) } = conclusion;
  const named = waiting && waiting.length > 0 ? { waiting: [...waiting] } : {};
  return { type: "run.suspended", status, exit, reason, ...named, ...(code === undefined ? {} : { code }) };
}

const toRoleField = ({ role }: { readonly role?: string }) => (role === undefined ? {} : { role });

function formatDecision(what: string, { by, note }: { readonly by: string; readonly note?: string }): string {
  return `${what} by ${by}${note === undefined ? "" : `: ${note}`}`;
}

function createFinishedRecord(run: Run, end: Extract<Conclusion, { kind: "ended" }>["end"]): FinalRecord {
  const commit = run.state.commits.entries().at(-1)?.[1];
  const caveats = [...run.state.caveats];
  // A commit with a caveat is less certain than the pipeline may think.
  const confidence = caveats.length > 0 && end.confidence === "high" ? "medium" : end.confidence;
  return {
    type: "run.finished",
    status: end.status,
    exit: getEndExitCode({ ...end, ...(confidence === undefined ? {} : { confidence }) }, run.started.minConfidence),
    ...(confidence === undefined ? {} : { confidence }),
    ...(commit === undefined ? {} : { commit }),
    ...(end.reason === undefined ? {} : { reason: end.reason }),
    ...(caveats.length > 0 ? { caveats } : {}),
    ...(end.next === undefined ? {} : { next: [...end.next] }),
    ...(end.report === undefined ? {} : { report: toStored(end.report) }),
  };
}
