import { SignalboxError } from "../../core/failure/errors.ts";
import { heldBy, readAnchor } from "../../surfaces/reports/chain.ts";
import { askGit } from "../project/ask-git.ts";
import type { RunStore } from "./run-store.ts";

/**
 * Before anybody goes on with a run: its head was written down outside the database when it last rested. An older copy of
 * the database that was put back has no such record, and whoever goes on from it does again what was done.
 */
export async function refuseOutdated({ places, host }: Pick<RunStore, "places" | "host">, run: string): Promise<void> {
  const place = `refs/signalbox/${run}/chain`;
  const said = await askGit(places.top, ["cat-file", "blob", place]);
  // A run that never rested has none, and whoever removed it can still be told by `evidence --verify`.
  const anchor = "out" in said ? readAnchor(place, said.out) : undefined;
  if (anchor?.seq === undefined) return;
  const seen = heldBy(anchor, await host.journal.load(run, anchor.seq - 1));
  if ("where" in seen) throw outdated(run, seen.message);
}

function outdated(run: string, message: string): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of the run ${run} is not the one that was left: ${message}. The database was changed or is an older copy.`,
    "Put the newest database and its -wal file back; `signalbox evidence --verify` compares them. Nothing was done.",
  );
}
