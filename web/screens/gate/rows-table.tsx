import type { Table } from "../../../src/surfaces/server/port/answers.ts";
import { some } from "../../parts/format.ts";
import { plain } from "../run/rows.ts";
import { apart } from "./same-columns.ts";

const SHOWN = 200;

/** The rows that a rule saw: what tells them apart as a table, what all of them have in common once, above it. */
export function RowsTable({ rows }: { readonly rows: Table }) {
  const { common, table } = apart(rows);
  return (
    <div className="scroll-x">
      {common.length > 0 ? (
        <p className="quiet-text">
          The same in all: <code>{common.map(([name, value]) => `${name} ${plain(value)}`).join(" · ")}</code>
        </p>
      ) : null}
      <table className="dense-table">
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, SHOWN).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a result has no names for its rows.
            <tr key={index}>
              {row.map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the place is the column.
                <td key={column}>{value === null ? <span className="quiet-text">null</span> : plain(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">
        {rows.rows.length > SHOWN ? `${SHOWN} of ${rows.rows.length} rows` : some(rows.rows.length, "row")}
      </p>
    </div>
  );
}
