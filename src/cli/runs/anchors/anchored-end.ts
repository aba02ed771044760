import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { type Difference, readAnchor } from "../../../surfaces/reports/chain.ts";
import type { RunStore } from "../run-store.ts";
import { chainPlace } from "./outdated-journal.ts";

type Ended = {
  readonly store: Pick<RunStore, "team" | "world">;
  readonly workspace: Pick<Workspace, "anchored">;
  readonly last: JournalRecord | undefined;
};

/** Its worker anchors an end after it has told of it. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 500;

/** What speaks against the end of a team's run: only its worker can anchor it, and whoever writes the database cannot. */
export async function unanchoredEnd({ store, workspace, last }: Ended): Promise<Difference | undefined> {
  if (!store.team || last?.type !== "run.finished") return undefined;
  const { world } = store;
  const until = Math.min(last.ts, world.now()) + PATIENCE_MS;
  for (;;) {
    const found = await workspace.anchored(last.run);
    const newest = found.find((text) => readAnchor(chainPlace(last.run), text));
    if (newest === `${last.seq}:${last.chain}`) return undefined;
    if (world.now() >= until) return notHeld(last, found[0] === newest ? undefined : found[0]);
    await world.sleep(LOOK_MS);
  }
}

function notHeld({ run, seq }: JournalRecord, instead: string | undefined): Difference {
  const holds = instead === undefined ? "does not hold it" : `holds ${instead}, which somebody else has put there`;
  const message = `the run's end, record ${seq}, is not anchored: ${chainPlace(run)} on the remote ${holds}`;
  return { where: "anchor", seq, message, unanchored: true, ...(instead === undefined ? {} : { replaced: true }) };
}
