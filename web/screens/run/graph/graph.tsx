import { useEffect, useMemo, useRef } from "react";
import type { RunPage } from "../../../../src/views/page/page.ts";
import { Glyph } from "../../../parts/glyph.tsx";
import { ENDED } from "../head.tsx";
import { selectRow } from "../selected-row.ts";
import { buildColumns, type Column, type GridCell, type Line } from "./columns.ts";
import { buildEdges } from "./edges.ts";

/**
 * A graph with one column per phase, one line per instance and one cell per round. Gates are below a dashed line, edges
 * to earlier phases at the bottom.
 */
export function Graph({ page, chosen }: { readonly page: RunPage; readonly chosen: string | undefined }) {
  const columns = useMemo(() => buildColumns(page.rows), [page.rows]);
  const box = useRef<HTMLElement>(null);
  // The selected cell may be in a column out of view.
  useEffect(() => {
    const cell = chosen && box.current?.querySelector(`[data-cell="${CSS.escape(chosen)}"]`);
    if (box.current && cell) scrollIntoBox(box.current, cell);
  }, [chosen]);
  const edges = buildEdges(
    page.head.backEdges,
    columns.map(({ phase }) => phase.phase),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard.
    <section ref={box} className="card graph" aria-label="Graph of phases" tabIndex={0}>
      <div className="graph-grid">
        {columns.map((column, index) => (
          <PhaseColumn
            key={column.phase.id}
            column={column}
            at={index}
            chosen={chosen}
            ended={ENDED.has(page.head.state)}
          />
        ))}
        {edges.map((edge) => (
          <div
            key={`${edge.from} ${edge.to}`}
            className="back-edge"
            title={edge.all}
            style={{ gridColumn: `${edge.to + 1} / ${edge.from + 2}`, gridRow: edge.lane + 2 }}
          >
            <span className="back-line" />
            <span className="back-label">
              {edge.label}
              {edge.more > 0 ? `, and ${edge.more} more` : ""}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Scrolls horizontally only, so that the vertical position of the page stays. */
function scrollIntoBox(box: HTMLElement, cell: Element): void {
  const [outer, inner] = [box.getBoundingClientRect(), cell.getBoundingClientRect()];
  const beside = cell.closest(".phase")?.getBoundingClientRect() ?? inner;
  if (beside.left >= outer.left && beside.right <= outer.right) return;
  box.scrollLeft += beside.left - outer.left - (outer.width - beside.width) / 2;
}

type ColumnProps = {
  readonly column: Column;
  readonly at: number;
  readonly chosen: string | undefined;
  readonly ended: boolean;
};

function PhaseColumn({ column: { phase, rounds, lines }, at, chosen, ended }: ColumnProps) {
  const firstGate = lines.findIndex(({ gate }) => gate);
  // Reserves space for a second round, so that later columns do not move when it starts.
  const width = ended ? rounds.length : Math.max(2, rounds.length);
  return (
    <div className={`phase ${phase.state}`} style={{ gridColumn: at + 1, gridRow: 1 }}>
      <h2 title={phase.because}>{phase.title || phase.phase}</h2>
      <div className="phase-lines" style={{ gridTemplateColumns: `minmax(max-content, 1fr) repeat(${width}, 22px)` }}>
        <span className="round-label">{rounds.length > 1 ? "round" : " "}</span>
        {Array.from({ length: width }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the round.
          <span key={index} className="round-label">
            {rounds.length > 1 ? rounds[index] : ""}
          </span>
        ))}
        {lines.map((line, index) => (
          <GraphLine key={line.label} line={line} width={width} first={index === firstGate} chosen={chosen} />
        ))}
        {lines.length === 0 ? (
          <span className="no-line">
            <Glyph state={phase.state} label={`${phase.title || phase.phase}: ${phase.state}`} />
            {phase.because ? <small>{phase.because}</small> : null}
          </span>
        ) : null}
      </div>
    </div>
  );
}

type LineProps = {
  readonly line: Line;
  readonly width: number;
  readonly first: boolean;
  readonly chosen: string | undefined;
};

function GraphLine({ line, width, first, chosen }: LineProps) {
  const cells = [...line.cells.values()];
  const isChosen = cells.some(({ id }) => id === chosen);
  const look = [line.gate ? "gate-line" : "", first ? "first-gate" : "", isChosen ? "chosen-line" : ""].join(" ");
  return (
    <div className={`graph-line ${look}`}>
      <button type="button" className="line-name" title={line.label} onClick={() => selectRow(cells.at(-1)?.id ?? "")}>
        {line.label}
      </button>
      {Array.from({ length: width }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is the round.
        <GraphCell key={index} cell={line.cells.get(index + 1)} chosen={chosen} />
      ))}
    </div>
  );
}

function GraphCell({ cell, chosen }: { readonly cell: GridCell | undefined; readonly chosen: string | undefined }) {
  if (!cell) return <span className="cell" />;
  return (
    <button
      type="button"
      className="cell"
      data-cell={cell.id}
      aria-pressed={cell.id === chosen}
      aria-label={cell.tries > 1 ? `${cell.label}, ${cell.tries} attempts` : cell.label}
      title={cell.label}
      onClick={() => selectRow(cell.id)}
    >
      <Glyph state={cell.state} />
      {cell.tries > 1 ? <sup>{cell.tries}</sup> : null}
    </button>
  );
}
