import type { GateRow, RunPage } from "../../../src/views/page/page.ts";
import { KeyBar } from "../../app/help.tsx";
import { useKeys } from "../../app/keyboard.ts";
import { navigate, toRunPath } from "../../app/router.tsx";
import { useRun } from "../../data/hooks.ts";
import { formatQuantity } from "../../parts/format.ts";
import { Glyph } from "../../parts/glyph.tsx";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { toGatePath } from "../run/dock/gate-rules.tsx";
import { Crumb } from "../run/head.tsx";
import { groupRows, isFailure } from "../run/rows.ts";
import { RunTabs } from "../run/tabs.tsx";
import { GateDetailView } from "./gate-detail.tsx";

const KEYS = [
  ["j k", "gate"],
  ["f", "next missed"],
  ["c", "copy SQL"],
  ["esc", "back to the run"],
] as const;

export function GateScreen({ run, gate }: { readonly run: string; readonly gate: string | undefined }) {
  const { value: page, error } = useRun(run);
  if (!page) return error ? <Failure error={error} /> : <Skeleton what={`the gates of ${run}`} />;
  return <GatesView page={page} gate={gate} />;
}

/** All gates of a run, from the server or from a report. */
export function GatesView({ page, gate }: { readonly page: RunPage; readonly gate: string | undefined }) {
  const { run } = page.head;
  const { gates } = groupRows(page.rows);
  const chosen = gates.find(({ key }) => key === gate) ?? gates.find(isFailure) ?? gates[0];
  const at = chosen ? gates.indexOf(chosen) : -1;
  const show = (row: GateRow | undefined): void => {
    if (row) navigate(toGatePath(run, row.key), "replace");
  };
  useKeys({
    j: () => show(gates[at + 1]),
    k: () => show(gates[at - 1]),
    f: () => show(gates.slice(at + 1).find(isFailure) ?? gates.find(isFailure)),
    Escape: () => navigate(toRunPath(run)),
  });
  const replaced = gates.length - page.head.counts.gatesPassed - page.head.counts.gatesMissed;
  const rules = gates.reduce((sum, each) => sum + each.rules.length, 0);
  return (
    <>
      <header className="run-head">
        <div>
          <Crumb page={page} last="Gates" />
          <h1 className="first-line">
            {page.head.counts.gatesPassed} passed · {page.head.counts.gatesMissed} missed
            {replaced > 0 ? (
              <span className="quiet-text">
                {" "}
                in the end; {formatQuantity(gates.length, "evaluation")}, {replaced} superseded
              </span>
            ) : null}
          </h1>
        </div>
      </header>
      <RunTabs page={page} view={null} />
      <div className="page side-and-main">
        <GateList run={run} gates={gates} chosen={chosen} />
        {chosen ? <GateDetailView run={run} gate={chosen} /> : <p className="card pad">No gates evaluated yet.</p>}
      </div>
      <KeyBar keys={KEYS} right={`${formatQuantity(gates.length, "evaluation")} · ${formatQuantity(rules, "rule")}`} />
    </>
  );
}

type ListProps = {
  readonly run: string;
  readonly gates: readonly GateRow[];
  readonly chosen: GateRow | undefined;
};

function GateList({ run, gates, chosen }: ListProps) {
  return (
    <nav className="card side-list" aria-label="Gates">
      {gates.map((gate) => (
        <button
          key={gate.id}
          type="button"
          aria-current={gate === chosen ? "true" : undefined}
          onClick={() => navigate(toGatePath(run, gate.key), "replace")}
        >
          <Glyph state={gate.state} label={gate.state} />
          <span>
            {gate.gate}
            <span className="second">
              {gate.phase}
              {gate.round > 0 ? `, round ${gate.round}` : ""}
            </span>
          </span>
          <span className={gate.state === "missed" ? "bad" : "quiet-text"}>
            {gate.state === "missed"
              ? gate.rules.flatMap(({ rule, passed }) => (passed ? [] : [rule])).join(", ")
              : formatQuantity(gate.rules.length, "rule")}
          </span>
        </button>
      ))}
    </nav>
  );
}
