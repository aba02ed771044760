import { formatDollars, formatElapsed } from "../../parts/format.ts";
import { type CompareLine, formatSigned, type Side } from "./compare-lines.ts";

export function CompareTable({ lines }: { readonly lines: readonly CompareLine[] }) {
  return (
    <section className="card scroll-x">
      <table className="list dense matrix compare-table">
        <thead>
          <tr>
            <th scope="col">Phase</th>
            {["Rounds", "Attempts", "Time", "Known cost", "Gates"].map((title) => (
              <th key={title} scope="col">
                {title}: A, B
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr
              key={line.phase}
              className={line.differs ? "differs" : ""}
              {...(line.differs ? { "data-difference": true, tabIndex: -1 } : {})}
            >
              <th scope="row">{line.phase}</th>
              <Pair line={line} of={({ rounds }) => String(rounds)} />
              <Pair line={line} of={({ attempts }) => String(attempts)} change={({ attempts }) => attempts} />
              <Pair line={line} of={({ ms }) => formatElapsed(ms)} />
              <Pair line={line} of={formatSideCost} />
              <Pair line={line} of={formatSideGates} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type PairProps = {
  readonly line: CompareLine;
  readonly of: (side: Side) => string;
  readonly change?: (side: Side) => number;
};

function Pair({ line: { a, b }, of, change }: PairProps) {
  const by = a && b && change ? change(b) - change(a) : 0;
  return (
    <td>
      <span className="pair">{a ? of(a) : "–"}</span>
      <span className="pair">{b ? of(b) : "–"}</span>
      {by !== 0 ? <span className="quiet-text">{formatSigned(by)}</span> : null}
    </td>
  );
}

const formatSideCost = ({ known, unknown, attempts }: Side): string => {
  if (attempts === 0) return "–";
  return known === 0 && unknown > 0 ? "unknown" : formatDollars(known);
};

const formatSideGates = ({ passed, missed }: Side): string =>
  passed + missed === 0
    ? "–"
    : [passed > 0 ? `${passed} passed` : "", missed > 0 ? `${missed} missed` : ""].filter(Boolean).join(", ");
