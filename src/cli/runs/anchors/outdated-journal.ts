import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Host } from "../../../core/ports/host.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { matchAnchor, parseAnchor } from "../../../surfaces/reports/anchor.ts";

type AnchorInputs = {
  readonly host: Pick<Host, "journal">;
  readonly workspace: Pick<Workspace, "anchored" | "holdAnchors">;
};

export const getChainRef = (run: string): string => `refs/signalbox/${run}/chain`;

/**
 * Verifies the journal before a run continues. Its head is anchored outside the database whenever the run is suspended.
 * A rewritten or restored database lacks that record; continuing from it would repeat completed work or act on records
 * that never existed.
 */
export async function refuseOutdated({ host, workspace }: AnchorInputs, run: string): Promise<void> {
  // A run that was never suspended has no anchor. `evidence --verify` still detects a removed one.
  for (const earlier of await workspace.anchored(run)) await requireAnchoredRecord(host, run, earlier);
  await workspace.holdAnchors(run);
}

/**
 * Verifies the journal before a message is sent. An unavailable remote does not block the message, because the worker
 * that takes the run verifies it again.
 */
export async function refuseOutdatedIfReachable(kept: AnchorInputs, run: string): Promise<void> {
  try {
    await refuseOutdated(kept, run);
  } catch (error) {
    if (!(error instanceof SignalboxError && error.code.startsWith("REMOTE_"))) throw error;
  }
}

/**
 * Throws if the journal does not contain the anchored record. A malformed anchor proves nothing: whoever can write the
 * ref could have removed the anchor, too.
 */
export async function requireAnchoredRecord(
  { journal }: AnchorInputs["host"],
  run: string,
  text: string,
): Promise<void> {
  const anchor = parseAnchor(getChainRef(run), text);
  if (!anchor) return;
  const { seq } = anchor;
  const records = seq === undefined ? await journal.load(run) : await journal.page(run, { after: seq - 1, most: 1 });
  const seen = matchAnchor(anchor, records);
  if ("where" in seen) throw createOutdatedError(run, seen.message);
}

function createOutdatedError(run: string, message: string): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${run} does not match its anchor: ${message}. Either the database was changed or is an older copy, or somebody else wrote that ref.`,
    `Restore the newest database (a local one with its -wal file); \`signalbox evidence ${run} --verify\` compares them. If the database is correct, reset the ref to the last anchor that it contains. Nothing was changed.`,
  );
}
