import type { Account } from "../../../core/budget/account.ts";
import type { Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import type { StateName } from "../../states.ts";
import type { Taking } from "../../taking.ts";
import type { PageRow } from "../page.ts";

/** One kind of rows: it hears of records, says which of its rows they change, and makes a row when it is asked for. */
export type RowPart = { readonly taking: Taking; row(id: string, at: RowContext): Unstamped<PageRow> };

/** `live`: the row has not come to its end, so what it shows may change without a record. */
export type Touch = (id: string, change: { readonly seq: number; readonly live: boolean }) => void;

export type RowContext = {
  readonly view: RunView;
  readonly account: Account;
  readonly presence: Presence;
  /** Of the run. */
  readonly state: StateName;
};

/** When it last changed is known to whoever was told so. */
export type Unstamped<Row> = Row extends PageRow ? Omit<Row, "seq"> : never;
