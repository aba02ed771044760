import { createJournalAccount } from "../../core/budget/account.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createView, type RunView } from "../run-view.ts";
import type { Around } from "./around.ts";
import { createBackEdges } from "./back-edges.ts";
import { headOf } from "./head/head.ts";
import { runStateOf } from "./head/run-state.ts";
import type { PageChange, PageRow, RunPage } from "./page.ts";
import { createCheckRows } from "./rows/check-rows.ts";
import { createDispatchRows } from "./rows/dispatch-rows.ts";
import { createGateRows } from "./rows/gate-rows.ts";
import { createPhaseRows } from "./rows/phase-rows.ts";
import { createQuestionRows } from "./rows/question-rows.ts";
import type { RowContext, RowPart, Touch } from "./rows/row-part.ts";
import { createStandingGates } from "./rows/standing-gates.ts";
import { createStepRows } from "./rows/step-rows.ts";

/** A page that is kept up record by record: only rows that have changed are made again. */
export type PageFold = {
  take(record: JournalRecord): void;
  view(): RunView;
  page(around: Around): RunPage;
  /**
   * The head, the rows that have changed after that record, and those that are still under way: what they show may
   * change without one. With `mergeChange` the page of `after` becomes the page of now.
   */
  changeAfter(after: number, around: Around): PageChange;
};

type Entry = { readonly part: RowPart; seq: number; live: boolean; made?: PageRow | undefined };

type CreatePart = (touch: Touch) => RowPart;

/** `kinds`: whoever shows some rows alone need not have the others made. */
export function createPageFold(kinds: readonly PageRow["kind"][] = KINDS): PageFold {
  /** In the order in which they came. */
  const rows = new Map<string, Entry>();
  const parts = kinds.map((kind) => {
    const part: RowPart = PARTS[kind]((id, { seq, live }) => {
      const entry = rows.get(id);
      if (!entry) rows.set(id, { part, seq, live });
      else Object.assign(entry, { seq, live, made: undefined });
    });
    return part;
  });
  const gates = createStandingGates();
  const [backEdges, { account, take: settle }] = [createBackEdges(), createJournalAccount()];
  const fold = createView([...parts.map(({ taking }) => taking), backEdges.taking, gates.taking]);
  let run = "";
  let last = 0;

  const made = (id: string, entry: Entry, at: RowContext): PageRow => {
    if (entry.made) return entry.made;
    const row: PageRow = { ...entry.part.row(id, at), seq: entry.seq };
    if (!entry.live) entry.made = row;
    return row;
  };
  const pageOf = (around: Around, wanted: (entry: Entry) => boolean): RunPage => {
    const [view, { presence }] = [fold.view(), around];
    const judged = gates.all();
    const standing = runStateOf(view, presence, judged.missed);
    const at = { view, account, presence, state: standing.state };
    return {
      v: 1,
      seq: last,
      head: headOf({ view, account, around, standing, gates: judged, backEdges: backEdges.view() }),
      rows: [...rows].flatMap(([id, entry]) => (wanted(entry) ? [made(id, entry, at)] : [])),
    };
  };

  return {
    take(record) {
      settle(record);
      fold.take(record);
      [run, last] = [record.run, record.seq];
      if (record.type !== "run.finished") return;
      // Whatever was under way is over with it.
      for (const entry of rows.values()) {
        if (entry.live) Object.assign(entry, { seq: record.seq, live: false, made: undefined });
      }
    },
    view: () => fold.view(),
    page: (around) => pageOf(around, () => true),
    changeAfter: (after, around) => ({
      run,
      after,
      page: pageOf(around, ({ seq, live }) => live || seq > after),
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
// A record's keys are those of its type.
const KINDS = Object.keys(PARTS) as readonly PageRow["kind"][];

/** The page of all these records. */
export function pageOf(records: readonly JournalRecord[], around: Around): RunPage {
  const fold = createPageFold();
  for (const record of records) fold.take(record);
  return fold.page(around);
}
