import type { RunPage } from "../../../src/views/page/page.ts";
import { Link, toRunPath } from "../../app/router.tsx";
import { formatElapsed, formatQuantity } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { CostSum } from "../../parts/money.tsx";

export function RunCard({ name, page: { head } }: { readonly name: string; readonly page: RunPage }) {
  const commit = head.commits.at(-1)?.commit;
  return (
    <section className="card pad">
      <h2>
        {name} <StateWord state={head.state} />{" "}
        <span className="quiet-text">{head.confidence ? `confidence ${head.confidence}` : ""}</span>{" "}
        <Link href={toRunPath(head.run)}>
          <code>{head.run}</code>
        </Link>
      </h2>
      <p className="quiet-text">
        {head.request} · {formatElapsed(head.lastAt - head.startedAt)} ·{" "}
        {formatQuantity(head.counts.dispatches, "dispatch", "dispatches")} ·{" "}
        <CostSum money={head.cost} dispatches={head.counts.dispatches} /> ·{" "}
        {formatQuantity(head.counts.gatesPassed, "gate")} passed, {head.counts.gatesMissed} missed
        {commit ? ` · commit ${commit.slice(0, 10)}` : ""}
      </p>
    </section>
  );
}
