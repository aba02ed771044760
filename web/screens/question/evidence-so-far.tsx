import type { CheckRow, GateRow } from "../../../src/views/page/page.ts";
import { STATES } from "../../../src/views/states.ts";
import { useRun } from "../../data/hooks.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { explainRow, groupRows } from "../run/rows.ts";

/** The gates and check results so far, as a basis for the decision. */
export function EvidenceSoFar({ run, evidence }: { readonly run: string; readonly evidence: readonly CheckRow[] }) {
  const { value: page } = useRun(run);
  const gates = page ? groupRows(page.rows).gates : [];
  if (gates.length + evidence.length === 0) return null;
  return (
    <>
      <h2>Evidence so far</h2>
      <ul className="card plain-rows">
        {gates.map((gate) => (
          <GateLine key={gate.id} gate={gate} replaced={isReplaced(gate, gates)} />
        ))}
        {evidence.map((check) => (
          <li key={check.id}>
            <StateWord
              state={check.state}
              word={`${check.check}${check.task ? ` ${check.task}` : ""}, ${check.when}`}
            />
            <span className="second">{check.because}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns whether a later evaluation at the same place replaced this one. */
const isReplaced = (gate: GateRow, all: readonly GateRow[]): boolean =>
  all.findLast(({ place }) => place === gate.place)?.id !== gate.id;

function GateLine({ gate, replaced }: { readonly gate: GateRow; readonly replaced: boolean }) {
  if (replaced)
    return (
      <li className="quiet-text">
        {gate.gate}, round {gate.round}, superseded: {STATES[gate.state].word}
        <span className="second">{explainRow(gate)}</span>
      </li>
    );
  return (
    <li>
      <StateWord state={gate.state} word={gate.round > 1 ? `${gate.gate}, round ${gate.round}` : gate.gate} />
      <span className="second">{explainRow(gate)}</span>
    </li>
  );
}
