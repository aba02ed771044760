import type { Table } from "../../../src/surfaces/server/port/answers.ts";
import { some } from "../../parts/format.ts";
import { plain } from "../run/rows.ts";

const SHOWN = 200;

export function RowsTable({ rows }: { readonly rows: Table }) {
  return (
    <div className="scroll-x">
      <table className="dense-table">
        <thead>
          <tr>
            {rows.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.rows.slice(0, SHOWN).map((row, index) => (
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
