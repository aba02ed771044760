import type { PageHead, RunPage } from "../../../src/views/page/page.ts";
import { formatDollars } from "../../parts/format.ts";
import { formatRule, groupRows } from "../run/rows.ts";

const FIELDS: readonly (readonly [string, (head: PageHead) => string])[] = [
  ["pipeline", ({ pipeline, version }) => `${pipeline} v${version}`],
  ["request", ({ request }) => request],
  ["base", ({ base }) => base.commit.slice(0, 10)],
  ["approvals", ({ approvals }) => approvals],
  ["budget", ({ cost }) => (cost.limitUsd === null ? "no limit" : formatDollars(cost.limitUsd))],
  ["end", ({ status }) => status],
];

export function SameAndDifferent({ a, b }: { readonly a: RunPage; readonly b: RunPage }) {
  const same = FIELDS.filter(([, of]) => of(a.head) === of(b.head));
  const other = FIELDS.filter(([, of]) => of(a.head) !== of(b.head));
  const missed = (page: RunPage) =>
    groupRows(page.rows).gates.flatMap((gate) =>
      gate.rules.flatMap((rule) => (rule.passed ? [] : [`${gate.gate}, round ${gate.round}: ${formatRule(rule)}`])),
    );
  const [inA, inB] = [new Set(missed(a)), new Set(missed(b))];
  return (
    <div className="two-columns">
      <section className="card pad">
        <h2>Same</h2>
        <ul className="plain-list">
          {same.map(([name, of]) => (
            <li key={name}>
              {name} {of(a.head)}
            </li>
          ))}
        </ul>
      </section>
      <section className="card pad">
        <h2>Different</h2>
        <ul className="plain-list">
          {other.map(([name, of]) => (
            <li key={name}>
              {name}: {of(a.head)} in A, {of(b.head)} in B
            </li>
          ))}
          {[...inA.difference(inB)].map((line) => (
            <li key={`a ${line}`}>only A missed {line}</li>
          ))}
          {[...inB.difference(inA)].map((line) => (
            <li key={`b ${line}`}>only B missed {line}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
