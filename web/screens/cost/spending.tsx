import { Link, runPath } from "../../app/router.tsx";
import { useNow, useStore } from "../../data/hooks.ts";
import type { RunLine } from "../../data/types.ts";
import { clock, dollars, some } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { Cost, costNote } from "../../parts/money.tsx";

/** What the runs of this machine cost, dearest first; each leads to its own account. */
export function SpendingScreen() {
  const { value: home, error } = useStore((store) => store.home);
  if (!home) return error ? <Failure error={error} /> : <Skeleton what="the cost of every run" />;
  const runs = [...home.running, ...home.recent].toSorted((one, other) => other.cost.counted - one.cost.counted);
  const known = runs.reduce((sum, { cost }) => sum + cost.known, 0);
  const guessed = runs.reduce((sum, { cost }) => sum + cost.counted - cost.known, 0);
  const silent = runs.reduce((sum, { cost }) => sum + cost.unknown, 0);
  return (
    <div className="page">
      <h1 className="first-line">
        {dollars(known)} known in {some(runs.length, "run")}
        {guessed > 0 ? `, ${dollars(guessed)} assumed or reserved` : ""}
        {silent > 0 ? `: ${some(silent, "attempt")} did not say` : ""}
      </h1>
      <section className="card scroll-x">
        <table className="list">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Run</th>
              <th scope="col" className="num">
                Began
              </th>
              <th scope="col" className="num">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <Line key={run.run} run={run} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Line({ run }: { readonly run: RunLine }) {
  const now = useNow(false);
  return (
    <tr>
      <td>
        <StateWord state={run.state} />
      </td>
      <td className="wide">
        <Link className="row-title" data-row href={runPath(run.run, "/cost")}>
          {run.request || run.pipeline}
        </Link>
        <span className="second">
          {run.repository} · {run.pipeline}
        </span>
      </td>
      <td className="num">{clock(run.startedAt, now)}</td>
      <td className="num">
        <Cost money={run.cost} />
        <span className="second">{costNote(run.cost)}</span>
      </td>
    </tr>
  );
}
