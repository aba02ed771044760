import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { type Difference, parseAnchor } from "../../../surfaces/reports/anchor.ts";
import type { RunStore } from "../run-store.ts";
import { getChainRef } from "./outdated-journal.ts";

type EndCheckInputs = {
  readonly store: Pick<RunStore, "team" | "world">;
  readonly workspace: Pick<Workspace, "anchored">;
  readonly last: JournalRecord | undefined;
};

/** A worker anchors the end after it has reported it. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 500;

/**
 * Returns what speaks against the recorded end of a team's run. Only its worker can anchor the end; write access to the
 * database does not suffice.
 */
export async function findUnanchoredEnd({ store, workspace, last }: EndCheckInputs): Promise<Difference | undefined> {
  if (!store.team || last?.type !== "run.finished") return undefined;
  const { world } = store;
  const until = Math.min(last.ts, world.now()) + PATIENCE_MS;
  for (;;) {
    const found = await workspace.anchored(last.run);
    const newest = found.find((text) => parseAnchor(getChainRef(last.run), text));
    if (newest === `${last.seq}:${last.chain}`) return undefined;
    if (world.now() >= until) return createEndDifference(last, found[0] === newest ? undefined : found[0]);
    await world.sleep(LOOK_MS);
  }
}

function createEndDifference({ run, seq }: JournalRecord, instead: string | undefined): Difference {
  const holds = instead === undefined ? "does not contain it" : `contains ${instead}, written by somebody else`;
  const message = `the run's end, record ${seq}, is not anchored: ${getChainRef(run)} on the remote ${holds}`;
  return { where: "anchor", seq, message, unanchored: true, ...(instead === undefined ? {} : { replaced: true }) };
}
