import { type MouseEvent, memo } from "react";
import type { RunPage } from "../../../../src/views/page/page.ts";
import { formatElapsed, formatInteger, formatQuantity } from "../../../parts/format.ts";
import { groupRows, isFailure, listSelectable, type SelectableRow } from "../rows.ts";
import { selectRow } from "../selected-row.ts";

const COLUMN_COUNT = 120;

/** Strips with one column per 1/120 of a phase. Red is the share that failed. */
export const Density = memo(({ rows: all }: Pick<RunPage, "rows">) => {
  const groups = Map.groupBy(listSelectable(all), ({ phase }) => phase);
  return (
    <>
      <section className="card density" aria-label="Phases">
        {groupRows(all).phases.map((phase) => {
          const rows = groups.get(phase.phase) ?? [];
          const failed = rows.filter(isFailure).length;
          return (
            <div key={phase.id} className="density-line">
              <strong>{phase.title || phase.phase}</strong>
              <span>
                {formatQuantity(rows.length, "step")} ·{" "}
                <span className={failed > 0 ? "bad" : "quiet-text"}>{formatInteger(failed)} failed or missed</span>
              </span>
              <Strip rows={rows} />
              <span className="num">{formatElapsed(phase.ms)}</span>
            </div>
          );
        })}
      </section>
      <p className="note">Each column is 1/120 of a phase, in order. Red is the share of failed or missed steps.</p>
    </>
  );
});

/**
 * Draws one path instead of an element per column, because thousands of elements would be repainted with every frame of
 * the table.
 */
function Strip({ rows }: { readonly rows: readonly SelectableRow[] }) {
  const columns = splitIntoColumns(rows);
  const choose = (event: MouseEvent<HTMLButtonElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const part = columns[Math.floor(((event.clientX - left) / width) * columns.length)] ?? [];
    const first = part.find(isFailure) ?? part[0];
    if (first) selectRow(first.id);
  };
  const bars = columns.map((part, at) => {
    const share = part.filter(isFailure).length / part.length;
    return share === 0 ? "" : `M${at} 1h1v-${share.toFixed(3)}h-1z`;
  });
  return (
    <button type="button" className="strip" aria-hidden="true" tabIndex={-1} onClick={choose}>
      <svg viewBox={`0 0 ${Math.max(1, columns.length)} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars.join("")} />
      </svg>
    </button>
  );
}

function splitIntoColumns(rows: readonly SelectableRow[]): readonly (readonly SelectableRow[])[] {
  const size = Math.max(1, rows.length / COLUMN_COUNT);
  return Array.from({ length: Math.min(COLUMN_COUNT, rows.length) }, (_, index) => {
    const from = Math.floor(index * size);
    return rows.slice(from, Math.max(Math.floor((index + 1) * size), from + 1));
  });
}
