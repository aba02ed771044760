import { createJournalAccount } from "../../core/budget/account.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createRunView, type RunView } from "../run-view.ts";
import { createBackEdges } from "./back-edges.ts";
import { buildPageHead } from "./head/head.ts";
import { resolveRunState } from "./head/run-state.ts";
import type { LiveState } from "./live-state.ts";
import type { PageChange, PageRow, RunPage } from "./page.ts";
import { createCheckRows } from "./rows/check-rows.ts";
import { createDispatchRows } from "./rows/dispatch-rows.ts";
import { createGateRows } from "./rows/gate-rows.ts";
import { createGateTotals } from "./rows/gate-totals.ts";
import { createPhaseRows } from "./rows/phase-rows.ts";
import { createQuestionRows } from "./rows/question-rows.ts";
import type { MarkChanged, RowContext, RowProducer } from "./rows/row-producer.ts";
import { createStepRows } from "./rows/step-rows.ts";

/** A page that is updated record by record. Only changed rows are built again. */
export type PageFold = {
  take(record: JournalRecord): void;
  view(): RunView;
  page(around: LiveState): RunPage;
  /**
   * Returns the head, the rows that changed after record `after`, and the rows still in progress, whose content may
   * change without a record. `mergeChange` turns the page of `after` into the current one.
   */
  changeAfter(after: number, around: LiveState): PageChange;
};

type RowEntry = { readonly part: RowProducer; seq: number; live: boolean; made?: PageRow | undefined };

type CreatePart = (touch: MarkChanged) => RowProducer;

/** Builds rows of the given `kinds` only, for surfaces that do not display the others. */
export function createPageFold(kinds: readonly PageRow["kind"][] = KINDS): PageFold {
  /** In order of first appearance. */
  const rows = new Map<string, RowEntry>();
  const parts = kinds.map((kind) => {
    const part: RowProducer = PARTS[kind]((id, { seq, live }) => {
      const entry = rows.get(id);
      if (!entry) rows.set(id, { part, seq, live });
      else Object.assign(entry, { seq, live, made: undefined });
    });
    return part;
  });
  const gates = createGateTotals();
  const [backEdges, { account, take: settle }] = [createBackEdges(), createJournalAccount()];
  const fold = createRunView([...parts.map(({ taking }) => taking), backEdges.taking, gates.taking]);
  let run = "";
  let last = 0;

  const renderRow = (id: string, entry: RowEntry, at: RowContext): PageRow => {
    if (entry.made) return entry.made;
    const row: PageRow = { ...entry.part.row(id, at), seq: entry.seq };
    if (!entry.live) entry.made = row;
    return row;
  };
  const selectPage = (around: LiveState, wanted: (entry: RowEntry) => boolean): RunPage => {
    const [view, { presence }] = [fold.view(), around];
    const judged = gates.all();
    const standing = resolveRunState(view, presence, judged.missed);
    const at = { view, account, presence, state: standing.state };
    return {
      v: 1,
      seq: last,
      head: buildPageHead({ view, account, around, standing, gates: judged, backEdges: backEdges.view() }),
      rows: [...rows].flatMap(([id, entry]) => (wanted(entry) ? [renderRow(id, entry, at)] : [])),
    };
  };

  return {
    take(record) {
      settle(record);
      fold.take(record);
      [run, last] = [record.run, record.seq];
      if (record.type !== "run.finished") return;
      // Close all live rows when the run finishes.
      for (const entry of rows.values()) {
        if (entry.live) Object.assign(entry, { seq: record.seq, live: false, made: undefined });
      }
    },
    view: () => fold.view(),
    page: (around) => selectPage(around, () => true),
    changeAfter: (after, around) => ({
      run,
      after,
      page: selectPage(around, ({ seq, live }) => live || seq > after),
    }),
  };
}

const PARTS: Readonly<Record<PageRow["kind"], CreatePart>> = {
  phase: createPhaseRows,
  dispatch: createDispatchRows,
  check: createCheckRows,
  gate: createGateRows,
  question: createQuestionRows,
  step: createStepRows,
};
// The cast holds because PARTS has exactly the keys of its declared type.
const KINDS = Object.keys(PARTS) as readonly PageRow["kind"][];

/** Builds the page of a complete list of records. */
export function buildRunPage(records: readonly JournalRecord[], around: LiveState): RunPage {
  const fold = createPageFold();
  for (const record of records) fold.take(record);
  return fold.page(around);
}
