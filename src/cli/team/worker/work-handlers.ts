import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Effect, EffectKind, EffectResult } from "../../../core/journal/effect.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { DriveResult, Handlers } from "../../../core/ports/host.ts";
import { suspendUndrivable } from "../../../engine/drive/suspend-undrivable.ts";
import { followNotices } from "../../notify/post-notices.ts";
import { refuseForgedStart } from "../../runs/anchors/forged-start.ts";
import { refuseOutdated } from "../../runs/anchors/outdated-journal.ts";
import { anchorJournal } from "../../start/anchor-journal.ts";
import { sendTelemetry } from "../../telemetry/send-telemetry.ts";
import { listAttemptLabels } from "../offers/labels.ts";
import { createExecutorPool } from "./executor-pool.ts";
import type { PendingEnds } from "./pending-ends.ts";
import { createRunExecutor, type RunExecutorInputs } from "./run-executor.ts";
import { createFileSender } from "./send-files.ts";
import type { WorkerLog } from "./worker-log.ts";

type DriveCall = { readonly run: string; readonly signal: AbortSignal };
type WorkInputs = RunExecutorInputs & { readonly log: WorkerLog; readonly ends: PendingEnds };

const LEAVES_FILES: ReadonlySet<EffectKind> = new Set(["attempt", "check", "write"]);

/** Creates the handlers that the host calls. Each run uses its own agents and limits. */
export function createWorkHandlers(parts: WorkInputs): Handlers {
  const { base, host, log } = parts;
  const { places } = base.project;
  const executors = createExecutorPool((run) => createRunExecutor(parts, run));
  const files = createFileSender({ spools: host.team.spools, runs: places.runs, world: base.world, log: log.warn });
  const withUploads = <T>({ run, kind }: Pick<Effect, "run" | "kind">, use: () => Promise<T>): Promise<T> =>
    LEAVES_FILES.has(kind) ? files.during(run, use) : use();
  const performAttempt = async <T>(effect: Effect<"attempt">, use: () => Promise<T>): Promise<T> => {
    // Check output from the owner is given to the agent as a file.
    const outputs = (effect.request.logs ?? []).map(({ output }) => `spool/${output}/`);
    if (outputs.length > 0) await files.bring(effect.run, (path) => outputs.some((each) => path.startsWith(each)));
    return log.attempt(effect, use);
  };
  const performEffect = <K extends EffectKind>(
    effect: Effect<K>,
    use: (by: Pick<Handlers, "perform" | "recover">) => Promise<EffectResult<K>>,
  ) =>
    executors.during(effect.run, ({ executor }) =>
      withUploads(effect, () =>
        // The kind determines the type, which the compiler cannot see while K is open.
        effect.kind === "attempt" ? performAttempt(effect as Effect<"attempt">, () => use(executor)) : use(executor),
      ),
    );
  return {
    perform: (effect, signal) => performEffect(effect, (by) => by.perform(effect, signal)),
    recover: (effect, signal) => performEffect(effect, (by) => by.recover(effect, signal)),
    needs: (effect) => {
      if (effect.kind !== "attempt") return [];
      const { role, instead } = (effect as Effect<"attempt">).request;
      // Called only by the run's owner, whose executor is present.
      return listAttemptLabels(executors.present(effect.run)?.agents ?? (() => undefined), role, instead);
    },
    drive: (run, signal) =>
      driveOrSuspend(parts, { run, signal }, () =>
        executors.during(run, ({ engine }) =>
          log.run(run, () =>
            files.during(run, () => driveVerified(parts, { run, signal }, () => engine.handlers.drive(run, signal))),
          ),
        ),
      ),
  };
}

/**
 * Drives a run with everything that a local drive includes: verification against the anchors, restored refs, notices,
 * telemetry, and a new anchor.
 */
async function driveVerified(parts: WorkInputs, { run, signal }: DriveCall, drive: () => Promise<DriveResult>) {
  const { base, host, settings } = parts;
  const { workspace, world, project } = base;
  const before = (await host.journal.load(run)).at(-1)?.seq ?? 0;
  await refuseForgedStart({ host, born: host.team.born }, run);
  await refuseOutdated({ host, workspace }, run);
  await workspace.restore(run).catch(() => undefined);
  const { targets, collector } = settings;
  const notices = followNotices({ host, world, places: project.places, targets, trusted: true }, run);
  const telemetry = sendTelemetry({ host, world, collector }, { run, after: before });
  try {
    const result = await drive();
    const last = (await host.journal.load(run, before)).at(-1);
    if (last) await anchorLast(parts, { run, signal }, last);
    return result;
  } finally {
    await notices.close();
    await telemetry.close();
  }
}

/** The note of an end is kept until the end is anchored. */
async function anchorLast(parts: WorkInputs, drive: DriveCall, { type, run, seq }: JournalRecord): Promise<void> {
  await anchorWithRetry(parts, drive, seq);
  if (type === "run.finished") await parts.ends.forget(run);
}

const AGAIN_MS = 5_000;

/**
 * Retries while the remote is unavailable, as long as this worker runs. An end that is not anchored cannot be landed.
 */
async function anchorWithRetry(
  { base: { workspace, world }, host, log }: WorkInputs,
  { run, signal }: DriveCall,
  seq: number,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await anchorJournal({ host, workspace }, run, seq);
    } catch (error) {
      if (signal.aborted || !(error instanceof SignalboxError) || !error.code.startsWith("REMOTE_")) throw error;
      if (tried === 1) log.warn(`cannot anchor the end of ${run} yet, retrying: ${error.message}`);
      await world.sleep(AGAIN_MS, signal);
    }
  }
}

/**
 * Errors that are not recorded: the database is unavailable, another engine owns the run, or the journal is not the
 * engine's.
 */
const UNRECORDED: ReadonlySet<string> = new Set(["DATABASE_UNREACHABLE", "FENCED", "RUN_OWNED", "JOURNAL_DAMAGED"]);

/**
 * Records the failure of a drive as a suspension, so that it is visible in the run. A run whose worker was stopped is
 * left to another one.
 */
async function driveOrSuspend(
  { host, base: { world }, owner, log }: WorkInputs,
  { run, signal }: DriveCall,
  drive: () => Promise<DriveResult>,
): Promise<DriveResult> {
  const after = (await host.journal.load(run)).at(-1)?.seq ?? 0;
  try {
    return await drive();
  } catch (error) {
    const isTold = error instanceof SignalboxError && UNRECORDED.has(error.code);
    if (!isTold && !signal.aborted)
      await suspendUndrivable({ host, world, owner }, { run, after, error }).catch((failed: unknown) =>
        log.warn(`${run} could not be suspended: ${failed instanceof Error ? failed.message : String(failed)}`),
      );
    throw error;
  }
}
