import type { ComponentType } from "react";
import type { RunLine } from "../../../src/surfaces/server/port/documents.ts";
import { Link, toRunPath } from "../../app/router.tsx";
import { type Column, Columns } from "../../parts/columns.tsx";
import { shortenRun } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Cost, formatCostNote } from "../../parts/money.tsx";

type Props = {
  readonly runs: readonly RunLine[];
  /** The columns of the screen, between the run's name and its cost. */
  readonly columns: readonly Column[];
  readonly Cells: ComponentType<{ readonly run: RunLine }>;
  /** The page of the run to link to; defaults to the first one. */
  readonly page?: string;
};

/** A table of runs. The first and last columns are the same on all screens. */
export function RunsTable({ runs, columns, Cells, page = "" }: Props) {
  // If only numbers follow, the name column gets their space.
  const wide = columns.every((column) => typeof column !== "string");
  return (
    <table className="list">
      <Columns all={["State", "Run", ...columns, { number: "Cost" }]} />
      <tbody>
        {runs.map((run) => (
          <tr key={run.run}>
            <td>
              <StateWord state={run.state} />
            </td>
            <td {...(wide ? { className: "wide" } : {})}>
              <Link className="row-title" data-row href={toRunPath(run.run, page)}>
                {run.request || run.pipeline}
              </Link>
              <span className="second">
                {run.repository} · {run.pipeline} · <code>{shortenRun(run.run)}</code>
              </span>
            </td>
            <Cells run={run} />
            <td className="num">
              <Cost money={run.cost} />
              <span className="second">{formatCostNote(run.cost)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
