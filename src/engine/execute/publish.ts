import { SignalboxError } from "../../core/failure/errors.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import type { World } from "../../core/ports/world.ts";

type PublishDeps = { readonly workspace: Pick<Workspace, "publish">; readonly world: Pick<World, "now" | "sleep"> };

/** Equals the wait for an unavailable Postgres. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;

/** Retries while the remote is unavailable for a moment; throws if it stays unavailable or refuses. */
export async function publishWithRetry({ workspace, world }: PublishDeps, signal: AbortSignal): Promise<void> {
  const until = world.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await workspace.publish();
    } catch (error) {
      if (signal.aborted && !(error instanceof SignalboxError)) throw createUnpublishedError(error);
      if (!isUnreachable(error) || signal.aborted || world.now() + PAUSE_MS > until) throw error;
      await world.sleep(PAUSE_MS, signal);
    }
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof SignalboxError && error.code === "REMOTE_UNREACHABLE";

/** Finished work stays in the local clone, where a resumed run finds it. */
const createUnpublishedError = (cause: unknown): SignalboxError =>
  new SignalboxError(
    "REMOTE_UNREACHABLE",
    "The worker was stopped before its finished work reached the remote. The work stays in its local clone.",
    "Start that worker again, then run `signalbox resume`, which continues from there.",
    { cause },
  );
