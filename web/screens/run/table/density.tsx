import type { RunPage } from "../../../../src/views/page/page.ts";
import { duration, some, whole } from "../../../parts/format.ts";
import { chooseRow } from "../choose.ts";
import { byKind, type Chosen, choosable, isFailure } from "../rows.ts";

const COLUMNS = 120;

/** A phase of thousands in one strip: each column is a 120th of it, red the share that failed. */
export function Density({ page }: { readonly page: RunPage }) {
  const groups = Map.groupBy(choosable(page.rows), ({ phase }) => phase);
  return (
    <>
      <section className="card density" aria-label="Phases">
        {byKind(page.rows).phases.map((phase) => {
          const rows = groups.get(phase.phase) ?? [];
          const failed = rows.filter(isFailure).length;
          return (
            <div key={phase.id} className="density-line">
              <strong>{phase.title || phase.phase}</strong>
              <span>
                {some(rows.length, "step")} ·{" "}
                <span className={failed > 0 ? "bad" : "quiet-text"}>{whole(failed)} failed or missed</span>
              </span>
              <Strip rows={rows} />
              <span className="num">{duration(phase.ms)}</span>
            </div>
          );
        })}
      </section>
      <p className="note">One column stands for 1/120 of a phase, in order; red is the share that failed or missed.</p>
    </>
  );
}

function Strip({ rows }: { readonly rows: readonly Chosen[] }) {
  const size = Math.max(1, rows.length / COLUMNS);
  const columns = Array.from({ length: Math.min(COLUMNS, rows.length) }, (_, index) =>
    rows.slice(Math.floor(index * size), Math.max(Math.floor((index + 1) * size), Math.floor(index * size) + 1)),
  );
  return (
    <span className="strip" aria-hidden="true">
      {columns.map((part) => {
        const failed = part.filter(isFailure);
        const first = failed[0] ?? part[0];
        return (
          <button type="button" tabIndex={-1} key={first?.id} onClick={() => first && chooseRow(first.id)}>
            <b style={{ height: `${(failed.length / part.length) * 100}%` }} />
          </button>
        );
      })}
    </span>
  );
}
