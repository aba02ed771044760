import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Host } from "../../../core/ports/host.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { heldBy, readAnchor } from "../../../surfaces/reports/chain.ts";

type Kept = { readonly host: Pick<Host, "journal">; readonly workspace: Pick<Workspace, "anchored" | "holdAnchors"> };

export const chainPlace = (run: string): string => `refs/signalbox/${run}/chain`;

/**
 * Before anybody goes on with a run: its head was written down outside the database whenever it rested. A database that was
 * rewritten or put back has no such record, and whoever goes on from it does again what was done, or what was never said.
 */
export async function refuseOutdated({ host, workspace }: Kept, run: string): Promise<void> {
  // A run that never rested has none, and whoever removed it can still be told by `evidence --verify`.
  for (const earlier of await workspace.anchored(run)) await requireHeld(host, run, earlier);
  await workspace.holdAnchors(run);
}

/**
 * The same for somebody who only sends a word: a remote that is away does not keep it back, because the worker that takes
 * it up looks before it goes on.
 */
export async function refuseOutdatedWhereSeen(kept: Kept, run: string): Promise<void> {
  try {
    await refuseOutdated(kept, run);
  } catch (error) {
    if (!(error instanceof SignalboxError && error.code.startsWith("REMOTE_"))) throw error;
  }
}

/**
 * Throws where the journal is not the one that the anchor was made of. What is no anchor says nothing of the journal:
 * whoever may write the ref could have removed the anchor, too.
 */
export async function requireHeld({ journal }: Kept["host"], run: string, text: string): Promise<void> {
  const anchor = readAnchor(chainPlace(run), text);
  if (!anchor) return;
  const { seq } = anchor;
  const records = seq === undefined ? await journal.load(run) : await journal.page(run, { after: seq - 1, most: 1 });
  const seen = heldBy(anchor, records);
  if ("where" in seen) throw outdated(run, seen.message);
}

function outdated(run: string, message: string): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of the run ${run} is not the one that was left: ${message}. The database was changed or is an older copy. Or somebody else wrote that ref.`,
    `Put the newest database back (of a repository of your own with its -wal file); \`signalbox evidence ${run} --verify\` compares them. If the database is right, put the ref back to the last anchor that it holds. Nothing was done.`,
  );
}
