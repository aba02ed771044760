import type { RunLine } from "../../../src/surfaces/server/port/documents.ts";
import { formatTimeOfDay } from "../../parts/format.ts";
import { Since } from "../../parts/since.tsx";
import { RunsTable } from "./runs-table.tsx";

export function RunningTable({ runs }: { readonly runs: readonly RunLine[] }) {
  return (
    <div className="card scroll-x">
      <RunsTable runs={runs} columns={["Activity", { number: "Since" }]} Cells={Activity} />
    </div>
  );
}

function Activity({ run }: { readonly run: RunLine }) {
  return (
    <>
      <td className="wide">
        {run.waitsFor.text}
        {run.because === run.waitsFor.text ? null : <span className="second">{run.because}</span>}
      </td>
      <td className="num">
        <Since at={run.waitsFor.since} />
        <span className="second">{formatTimeOfDay(run.waitsFor.since)}</span>
      </td>
    </>
  );
}
