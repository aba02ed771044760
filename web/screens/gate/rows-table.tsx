import type { SqlTable } from "../../../src/surfaces/server/port/documents.ts";
import { formatQuantity } from "../../parts/format.ts";
import { formatValue } from "../run/rows.ts";
import { splitColumns } from "./split-columns.ts";

const MAX_ROWS = 200;

/** The rows that a rule read. Values that all rows share are shown once, above the table. */
export function RowsTable({ rows }: { readonly rows: SqlTable }) {
  const { common, table } = splitColumns(rows);
  return (
    <div className="scroll-x">
      {common.length > 0 ? (
        <p className="quiet-text">
          In all rows: <code>{common.map(([name, value]) => `${name} ${formatValue(value)}`).join(" · ")}</code>
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
          {table.rows.slice(0, MAX_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a result have no ids.
            <tr key={index}>
              {row.map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the index is the column.
                <td key={column}>{value === null ? <span className="quiet-text">null</span> : formatValue(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">
        {rows.rows.length > MAX_ROWS
          ? `${MAX_ROWS} of ${rows.rows.length} rows`
          : formatQuantity(rows.rows.length, "row")}
      </p>
    </div>
  );
}
