import type { Money } from "../../src/views/page/page.ts";
import { formatDollars, formatQuantity } from "./format.ts";

/** An assumed or reserved amount, marked with a tilde and a dashed line. */
export function AssumedAmount({ usd, word }: { readonly usd: number; readonly word?: string }) {
  return (
    <span className="guess">
      {word ? formatDollars(usd) : `~${formatDollars(usd)}`}
      {word ? ` ${word}` : ""}
    </span>
  );
}

/** One amount for a row. Marked as assumed if some attempts did not report their cost. */
export function Cost({ money, dispatches }: { readonly money: Money; readonly dispatches?: number }) {
  if (dispatches === 0) return <span className="quiet-text">–</span>;
  const guessed = money.counted > money.known;
  if (isUnreported(money))
    return guessed ? <AssumedAmount usd={money.counted} /> : <span className="quiet-text">not reported</span>;
  return guessed ? <AssumedAmount usd={money.counted} /> : <span>{formatDollars(money.known)}</span>;
}

/** No cost is known and some attempts have not reported one, which is not zero. */
const isUnreported = (money: Money): boolean => money.known === 0 && money.unknown + money.open > 0;

export function formatCostNote(money: Money): string {
  const parts = [
    ...(money.unknown > 0 ? [`${money.unknown} not reported`] : []),
    ...(money.open > 0 ? [`${money.open} running`] : []),
  ];
  return parts.join(", ");
}

/** `$3.52 known + $0.26 assumed (2 not reported) + $0.98 reserved (2 running) = $4.76`. */
export function CostSum({ money, dispatches }: { readonly money: Money; readonly dispatches?: number }) {
  const { known, assumed, reserved, counted, unknown, open } = money;
  if (counted === 0 && unknown + open > 0 && unknown + open >= (dispatches ?? 0))
    return <span>not reported by {formatQuantity(unknown + open, "attempt")}</span>;
  const alone = unknown === 0 && open === 0;
  return (
    <span className="sum">
      {formatDollars(known)} known
      {unknown > 0 && (
        <>
          {" + "}
          <AssumedAmount usd={assumed} word="assumed" /> ({unknown} not reported)
        </>
      )}
      {open > 0 && (
        <>
          {" + "}
          <AssumedAmount usd={reserved} word="reserved" /> ({open} running)
        </>
      )}
      {!alone && ` = ${formatDollars(counted)}`}
    </span>
  );
}

/** Share of the limit: known cost solid, assumed and reserved cost hatched. */
export function BudgetBar({ money, limit }: { readonly money: Money; readonly limit: number }) {
  const part = (usd: number) => ({ width: `${Math.min(100, (usd / Math.max(limit, 1e-9)) * 100)}%` });
  return (
    <span className="budget-bar" role="img" aria-label={`${formatDollars(money.counted)} of ${formatDollars(limit)}`}>
      <span className="budget-known" style={part(money.known)} />
      <span className="budget-guess" style={part(money.counted - money.known)} />
    </span>
  );
}
