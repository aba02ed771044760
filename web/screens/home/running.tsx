import { Link, runPath } from "../../app/router.tsx";
import type { RunLine } from "../../data/types.ts";
import { clock, shortRun } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Cost, costNote } from "../../parts/money.tsx";
import { Since } from "../../parts/since.tsx";

export function RunningTable({ runs }: { readonly runs: readonly RunLine[] }) {
  return (
    <div className="card scroll-x">
      <table className="list">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Run</th>
            <th scope="col">Waits for</th>
            <th scope="col" className="num">
              Since
            </th>
            <th scope="col" className="num">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run}>
              <td>
                <StateWord state={run.state} />
              </td>
              <td>
                <RunName run={run} />
              </td>
              <td className="wide">
                {run.waitsFor.text}
                {run.because === run.waitsFor.text ? null : <span className="second">{run.because}</span>}
              </td>
              <td className="num">
                <Since at={run.waitsFor.since} />
                <span className="second">{clock(run.waitsFor.since)}</span>
              </td>
              <td className="num">
                <Cost money={run.cost} />
                <span className="second">{costNote(run.cost)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function RunName({ run }: { readonly run: RunLine }) {
  return (
    <>
      <Link className="row-title" data-row href={runPath(run.run)}>
        {run.request || run.pipeline}
      </Link>
      <span className="second">
        {run.repository} · {run.pipeline} · <code>{shortRun(run.run)}</code>
      </span>
    </>
  );
}
