import type { RunLine } from "../../../src/surfaces/server/port/documents.ts";
import { useNow, useStore } from "../../data/hooks.ts";
import { formatDollars, formatQuantity, formatTimeOfDay } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { RunsTable } from "../home/runs-table.tsx";

/** The cost of all runs on this machine, most expensive first, with links to their details. */
export function SpendingScreen() {
  const { value: home, error } = useStore((store) => store.home);
  if (!home) return error ? <Failure error={error} /> : <Skeleton what="the cost of all runs" />;
  const runs = [...home.running, ...home.recent].toSorted((one, other) => other.cost.counted - one.cost.counted);
  const known = runs.reduce((sum, { cost }) => sum + cost.known, 0);
  const guessed = runs.reduce((sum, { cost }) => sum + cost.counted - cost.known, 0);
  const silent = runs.reduce((sum, { cost }) => sum + cost.unknown, 0);
  return (
    <div className="page">
      <h1 className="first-line">
        {formatDollars(known)} known in {formatQuantity(runs.length, "run")}
        {guessed > 0 ? `, ${formatDollars(guessed)} assumed or reserved` : ""}
        {silent > 0 ? `: ${formatQuantity(silent, "attempt")} without a reported cost` : ""}
      </h1>
      <section className="card scroll-x">
        <RunsTable runs={runs} columns={[{ number: "Started" }]} Cells={StartTime} page="/cost" />
      </section>
    </div>
  );
}

function StartTime({ run }: { readonly run: RunLine }) {
  const now = useNow(false);
  return <td className="num">{formatTimeOfDay(run.startedAt, now)}</td>;
}
