import type { Account } from "../../../core/budget/account.ts";
import type { RecordHandlers } from "../../record-handlers.ts";
import type { Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import type { StateName } from "../../states.ts";
import type { PageRow } from "../page.ts";

/** One kind of rows: handles records, reports which of its rows they change, and builds a row on request. */
export type RowProducer = { readonly taking: RecordHandlers; row(id: string, at: RowContext): RowWithoutSeq<PageRow> };

/** Reports a changed row. `live` rows have not ended, so their content may change without a record. */
export type MarkChanged = (id: string, change: { readonly seq: number; readonly live: boolean }) => void;

export type RowContext = {
  readonly view: RunView;
  readonly account: Account;
  readonly presence: Presence;
  /** The state of the run. */
  readonly state: StateName;
};

/** A row without `seq`, which the page adds from the reported change. */
export type RowWithoutSeq<Row> = Row extends PageRow ? Omit<Row, "seq"> : never;
