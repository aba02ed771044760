import type { CostLine } from "../../../src/views/page/cost.ts";
import type { Money } from "../../../src/views/page/page.ts";
import { Columns } from "../../parts/columns.tsx";
import { formatCount, formatDollars } from "../../parts/format.ts";
import { AssumedAmount } from "../../parts/money.tsx";

type Props = { readonly title: string; readonly lines: readonly CostLine[]; readonly total: Money };

/** One breakdown of the cost. All breakdowns add up to the same total. */
export function CostTable({ title, lines, total }: Props) {
  const most = Math.max(...lines.map(({ money }) => money.counted), 1e-9);
  const sum = (pick: (line: CostLine) => number) => lines.reduce((all, line) => all + pick(line), 0);
  const sums = {
    dispatches: sum(({ dispatches }) => dispatches),
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    silent: sum(({ silent }) => silent),
  };
  return (
    <section className="card scroll-x">
      <table className="list dense matrix cost-table">
        <caption>{title}</caption>
        <Columns
          all={[
            { unseen: "Name" },
            { unseen: "Share" },
            { number: "Dispatches" },
            { number: "Known" },
            { number: "Assumed" },
            { number: "Tokens in, out" },
          ]}
        />
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name || "not reported"}</th>
              <td>
                <span className="share" aria-hidden="true">
                  <i style={{ width: `${(line.money.known / most) * 100}%` }} />
                  <b style={{ width: `${((line.money.counted - line.money.known) / most) * 100}%` }} />
                </span>
              </td>
              <MoneyCells money={line.money} dispatches={line.dispatches} />
              <td className="num quiet-text">
                <Tokens of={line} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Sum
            </th>
            <MoneyCells money={total} dispatches={sums.dispatches} />
            <td className="num">
              <Tokens of={sums} />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Shows unknown token counts as unknown, not as zero. */
function Tokens({ of }: { readonly of: Pick<CostLine, "dispatches" | "input" | "output" | "silent"> }) {
  return of.silent > 0 && of.silent >= of.dispatches
    ? "unknown"
    : `${formatCount(of.input)} / ${formatCount(of.output)}`;
}

function MoneyCells({ money, dispatches }: { readonly money: Money; readonly dispatches: number }) {
  const silent = money.known === 0 && money.unknown > 0 && money.unknown >= dispatches;
  return (
    <>
      <td className="num">{dispatches}</td>
      <td className="num">{silent ? <span className="quiet-text">unknown</span> : formatDollars(money.known)}</td>
      <td className="num">
        {money.unknown === 0 ? (
          "–"
        ) : (
          <>
            <AssumedAmount usd={money.assumed} /> <span className="quiet-text">for {money.unknown}</span>
          </>
        )}
      </td>
    </>
  );
}
