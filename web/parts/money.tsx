import type { Money } from "../../src/views/page/page.ts";
import { dollars, some } from "./format.ts";

/** An assumed or reserved amount, marked with a tilde and a dashed line. */
export function Guess({ usd, word }: { readonly usd: number; readonly word?: string }) {
  return (
    <span className="guess">
      {word ? dollars(usd) : `~${dollars(usd)}`}
      {word ? ` ${word}` : ""}
    </span>
  );
}

/** One amount for a row. Marked as assumed if some attempts did not report their cost. */
export function Cost({ money, dispatches }: { readonly money: Money; readonly dispatches?: number }) {
  if (dispatches === 0) return <span className="quiet-text">–</span>;
  const guessed = money.counted > money.known;
  if (isUnreported(money))
    return guessed ? <Guess usd={money.counted} /> : <span className="quiet-text">not reported</span>;
  return guessed ? <Guess usd={money.counted} /> : <span>{dollars(money.known)}</span>;
}

/** No cost is known and some attempts have not reported one, which is not zero. */
const isUnreported = (money: Money): boolean => money.known === 0 && money.unknown + money.open > 0;

export function costNote(money: Money): string {
  const parts = [
    ...(money.unknown > 0 ? [`${money.unknown} not reported`] : []),
    ...(money.open > 0 ? [`${money.open} running`] : []),
  ];
  return parts.join(", ");
}

/** `$3.52 known + $0.26 assumed (2 not reported) + $0.98 reserved (2 running) = $4.76`. */
export function Sum({ money, dispatches }: { readonly money: Money; readonly dispatches?: number }) {
  const { known, assumed, reserved, counted, unknown, open } = money;
  if (counted === 0 && unknown + open > 0 && unknown + open >= (dispatches ?? 0))
    return <span>not reported by {some(unknown + open, "attempt")}</span>;
  const alone = unknown === 0 && open === 0;
  return (
    <span className="sum">
      {dollars(known)} known
      {unknown > 0 && (
        <>
          {" + "}
          <Guess usd={assumed} word="assumed" /> ({unknown} not reported)
        </>
      )}
      {open > 0 && (
        <>
          {" + "}
          <Guess usd={reserved} word="reserved" /> ({open} running)
        </>
      )}
      {!alone && ` = ${dollars(counted)}`}
    </span>
  );
}

/** Share of the limit: known cost solid, assumed and reserved cost hatched. */
export function BudgetBar({ money, limit }: { readonly money: Money; readonly limit: number }) {
  const part = (usd: number) => ({ width: `${Math.min(100, (usd / Math.max(limit, 1e-9)) * 100)}%` });
  return (
    <span className="budget-bar" role="img" aria-label={`${dollars(money.counted)} of ${dollars(limit)}`}>
      <span className="budget-known" style={part(money.known)} />
      <span className="budget-guess" style={part(money.counted - money.known)} />
    </span>
  );
}
