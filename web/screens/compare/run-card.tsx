import type { RunPage } from "../../../src/views/page/page.ts";
import { Link, runPath } from "../../app/router.tsx";
import { duration, some } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Sum } from "../../parts/money.tsx";

export function RunCard({ name, page: { head } }: { readonly name: string; readonly page: RunPage }) {
  const commit = head.commits.at(-1)?.commit;
  return (
    <section className="card pad">
      <h2>
        {name} <StateWord state={head.state} />{" "}
        <span className="quiet-text">{head.confidence ? `confidence ${head.confidence}` : ""}</span>{" "}
        <Link href={runPath(head.run)}>
          <code>{head.run}</code>
        </Link>
      </h2>
      <p className="quiet-text">
        {head.request} · {duration(head.lastAt - head.startedAt)} ·{" "}
        {some(head.counts.dispatches, "dispatch", "dispatches")} ·{" "}
        <Sum money={head.cost} dispatches={head.counts.dispatches} /> · {some(head.counts.gatesPassed, "gate")} passed,{" "}
        {head.counts.gatesMissed} missed
        {commit ? ` · commit ${commit.slice(0, 10)}` : ""}
      </p>
    </section>
  );
}
