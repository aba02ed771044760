import { SignalboxError } from "../../core/failure/errors.ts";
import { findChainDifferences } from "../../core/journal/chain-differences.ts";
import { LEDGER_TABLES } from "../../core/journal/ledger.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { getStatusAfter } from "../../core/journal/run-status.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { CHAIN_START, hashChain } from "../../engine/drive/recorder.ts";
import {
  createUnreadableAnchorDifference,
  type Difference,
  matchAnchor,
  parseAnchor,
} from "../../surfaces/reports/anchor.ts";
import { foldRunView } from "../../views/run-view.ts";
import { refuseForged } from "../runs/anchors/forged-start.ts";
import { getChainRef } from "../runs/anchors/outdated-journal.ts";
import { findUnanchoredEnd } from "../runs/anchors/unanchored-end.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import type { RecordedRun } from "../runs/with-run.ts";
import { listCommits, readTrailer } from "./commit-trailer.ts";
import { readCurrentLedger } from "./current-ledger.ts";
import { type ExamVerification, MISSING_OBJECT, verifyExams } from "./verify-exam.ts";

export type AnchorState =
  | { readonly place: string; readonly state: "holds"; readonly seq: number }
  | { readonly place: string; readonly state: "differs" | "absent"; readonly because: string };

export type Verification = {
  readonly records: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly anchors: readonly AnchorState[];
  readonly exams: Pick<ExamVerification, "composed" | "gone">;
  readonly differences: readonly Difference[];
  /** Newest record that an anchor outside the database confirms. */
  readonly anchoredSeq: number;
};

/**
 * Derives the ledger and computes the chain again, and compares the chain's head with the anchors outside the database.
 */
export async function verifyRun(found: RecordedRun): Promise<Verification> {
  const { store, row, records } = found;
  const ledger = await readCurrentLedger({ host: store.host, run: row.id, records });
  const workspace = (await openRunWorkspace(store)).of(row.id);
  const unanchored = await findUnanchoredEnd({ store, workspace, last: records.at(-1) });
  const { anchors, differences } = await verifyAnchors(found, workspace);
  const exams = await verifyExams(workspace, records);
  return {
    records: records.length,
    rows: Object.fromEntries(
      TABLES.map((table) => [table, ledger.stored.filter((each) => each.table === table).length]),
    ),
    anchors,
    exams: { composed: exams.composed, gone: exams.gone },
    differences: [
      ...findChainDifferences(records, (before, record) => hashChain(store.world, before || CHAIN_START, record)),
      ...ledger.differences,
      ...differences,
      ...(unanchored ? [unanchored] : []),
      ...(await verifyStart(store, row.id)),
      ...exams.differences,
      ...verifyStatus([row.status, (await store.host.runs.get(row.id))?.status], records),
    ],
    anchoredSeq: Math.max(0, ...anchors.map((anchor) => (anchor.state === "holds" ? anchor.seq : 0))),
  };
}

/** Checks that a team's run was started the way runs are started. */
async function verifyStart(store: RecordedRun["store"], run: string): Promise<Difference[]> {
  try {
    await refuseForged(store, run);
    return [];
  } catch (error) {
    if (!(error instanceof SignalboxError) || error.code !== "JOURNAL_DAMAGED") throw error;
    return [{ where: "journal", seq: 1, message: error.message }];
  }
}

const TABLES = Object.keys(LEDGER_TABLES);

async function verifyAnchors({ store, row, records }: RecordedRun, workspace: Workspace) {
  const { places } = store;
  const place = getChainRef(row.id);
  const found = await workspace.anchored(row.id);
  const isOwnAnchor = (text: string): boolean => parseAnchor(place, text) !== undefined;
  const hasAnchor = found.some(isOwnAnchor);
  const kept = (found.length > 0 ? found : [undefined]).map((text, at) => ({
    place: at === 0 ? place : `${place}~${at}`,
    // Skips a foreign value above an anchor that is still in the history; it is only reported.
    text: text !== undefined && hasAnchor && !isOwnAnchor(text) ? undefined : text,
    none: text === undefined ? "is not set" : `contains ${text}, which signalbox did not write`,
  }));
  for (const commit of listCommits(foldRunView(records))) {
    // The commits of a team's run are only in the clones that landed it and in its worker's, so they are fetched for
    // reading.
    if (store.team) await workspace.files("", commit).catch(ignoreMissing);
    const trailer = await readTrailer(places.top, commit);
    const none = trailer ? "has no trailer Signalbox-Chain" : describeAbsent(store.team?.remote);
    kept.push({ place: `commit ${commit.slice(0, 10)}`, text: trailer?.anchor, none });
  }
  const anchors: AnchorState[] = [];
  const differences: Difference[] = [];
  for (const { place, text, none } of kept) {
    if (text === undefined) {
      anchors.push({ place, state: "absent", because: none });
      continue;
    }
    const seen = compareAnchor(place, text, records);
    if (!("where" in seen)) anchors.push({ place, state: "holds", seq: seen.seq });
    else {
      anchors.push({ place, state: "differs", because: seen.message });
      differences.push(seen);
    }
  }
  return { anchors, differences };
}

/** Ignores a commit that cannot be found; it is reported as not checked. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof SignalboxError && MISSING_OBJECT.has(error.code))) throw error;
}

const describeAbsent = (remote: string | undefined): string =>
  remote === undefined
    ? "is not in this repository"
    : `is neither here nor on ${remote}, so its trailer was not checked`;

function compareAnchor(place: string, text: string, records: readonly JournalRecord[]) {
  const anchor = parseAnchor(place, text);
  return anchor ? matchAnchor(anchor, records) : createUnreadableAnchorDifference(place, text);
}

/**
 * Compares the run's row with the journal. An active run may have moved on before or after its row was read, so two
 * readings of the row are accepted.
 */
function verifyStatus(listed: readonly (string | undefined)[], records: readonly JournalRecord[]): Difference[] {
  const last = records.findLast((record) => getStatusAfter(record) !== undefined);
  const after = last && getStatusAfter(last);
  if (!after || listed.includes(after.status)) return [];
  const message = `the run's row has status ${listed.at(-1)}, but record ${last.seq} has ${after.status}`;
  return [{ where: "journal", seq: last.seq, message }];
}
