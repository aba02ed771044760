import type { RunPage } from "../../../src/views/page/page.ts";
import { useNow } from "../../data/hooks.ts";
import { formatDollars, formatElapsed } from "../../parts/format.ts";
import { Glyph } from "../../parts/glyph.tsx";
import { AssumedAmount } from "../../parts/money.tsx";
import { groupRows } from "./rows.ts";
import { selectRow } from "./selected-row.ts";
import { buildTimelineLines, collapseQuietLines, type TimelineLine } from "./timeline-lines.ts";
import { createTimeScale } from "./timeline-scale.ts";

/** Number of lines above which phases without failures are collapsed. */
const COLLAPSE_ABOVE = 12;

export function Timeline({ page, open }: { readonly page: RunPage; readonly open: boolean }) {
  const ended = page.head.agents.length + page.head.checks.length === 0;
  const now = useNow(!ended);
  const end = ended ? page.head.lastAt : Math.max(now, page.head.lastAt);
  const all = buildTimelineLines(page, end);
  const { gates, questions, checks } = groupRows(page.rows);
  const range = { from: page.head.startedAt, to: Math.max(end, page.head.startedAt + 1) };
  const spans = [...all.flatMap(({ bars }) => bars), ...checks.map(({ at, ms }) => ({ from: at - ms, to: at }))];
  const { at, folded } = createTimeScale(spans, range);
  const lines = open || all.length <= COLLAPSE_ABOVE ? all : collapseQuietLines(all, gates);
  return (
    <section className="card timeline">
      <h2>
        Timeline{" "}
        <span className="quiet-text">
          {formatElapsed(range.to - range.from)}
          {folded > 0 ? `; ${formatElapsed(folded)} without work not shown` : ""}
        </span>
      </h2>
      {lines.map((line) => (
        <div key={line.label} className="timeline-line">
          <span className="timeline-name" title={line.label}>
            {line.label}
          </span>
          <span className="timeline-track">
            {line.bars.map((bar) => (
              <BarMark key={`${bar.id} ${bar.from}`} bar={bar} at={at} />
            ))}
          </span>
          <span className="num">{formatElapsed(line.ms)}</span>
          <span className="num">
            <LineCost cost={line.cost} />
          </span>
        </div>
      ))}
      <Marks label="gates" rows={gates} at={at} says={`${gates.length} evaluated`} />
      <Marks
        label="questions"
        rows={questions.map((row) => ({ ...row, at: row.askedAt }))}
        at={at}
        says={String(questions.length)}
      />
    </section>
  );
}

type Moment = { readonly id: string; readonly at: number; readonly state: RunPage["head"]["state"] };
type MarksProps = {
  readonly label: string;
  readonly rows: readonly Moment[];
  readonly at: (moment: number) => number;
  readonly says: string;
};

function Marks({ label, rows, at, says }: MarksProps) {
  if (rows.length === 0) return null;
  return (
    <div className="timeline-line">
      <span className="timeline-name">{label}</span>
      <span className="timeline-track">
        {rows.map((row) => (
          <button
            type="button"
            key={row.id}
            className="timeline-mark"
            style={{ left: `${at(row.at) * 100}%` }}
            aria-label={`${label}: ${row.state}`}
            onClick={() => selectRow(row.id)}
          >
            <Glyph state={row.state} />
          </button>
        ))}
      </span>
      <span className="num">{says}</span>
      <span />
    </div>
  );
}

function BarMark({ bar, at }: { readonly bar: TimelineLine["bars"][number]; readonly at: (moment: number) => number }) {
  const left = at(bar.from) * 100;
  const width = Math.max(0.6, at(bar.to) * 100 - left);
  return (
    <button
      type="button"
      className={`bar ${bar.state}`}
      style={{ left: `${Math.min(left, 99.4)}%`, width: `${width}%` }}
      aria-label={bar.label}
      title={bar.label}
      onClick={() => bar.id && selectRow(bar.id)}
    />
  );
}

function LineCost({ cost }: { readonly cost: TimelineLine["cost"] }) {
  if (cost.counted > cost.known) return <AssumedAmount usd={cost.counted} />;
  return cost.known === 0 && cost.unknown + cost.open > 0 ? (
    <span className="quiet-text">?</span>
  ) : (
    formatDollars(cost.known)
  );
}
