import type { RunPage } from "../../../src/views/page/page.ts";
import { formatElapsed, formatInteger, formatQuantity } from "../../parts/format.ts";
import { Glyph, StateWord } from "../../parts/glyph.tsx";
import { Clock } from "../../parts/since.tsx";
import { listEvidence } from "../run/dock/dispatch-evidence.ts";
import { explainRow, formatValue, groupRows } from "../run/rows.ts";

/** Claims with their evidence, gates, phases and answers, fully expanded. */
export function PrintedRun({ page }: { readonly page: RunPage }) {
  const { questions, phases, gates, dispatches } = groupRows(page.rows);
  const answered = questions.filter(({ answer }) => answer !== null);
  const claims = dispatches.filter(
    ({ attempts, claim }) => claim !== null && attempts.some(({ tree }) => tree !== null),
  );
  return (
    <div className="page printed">
      {claims.length > 0 ? <h2>Claims and evidence</h2> : null}
      {claims.map((row) => (
        <div key={row.id} className="printed-row">
          <span>
            {row.who}, round {row.round}
          </span>
          <span>
            <Glyph state="claim" label="claim" /> “{row.claim?.text}”{" "}
            <small>{formatInteger(row.claim?.seq ?? 0)}</small>
          </span>
          <span>
            {listEvidence(page, row).map(({ check }) => (
              <span key={check.id} className="printed-check">
                <StateWord state={check.state} word={`${check.check}: ${check.because || check.state}`} />{" "}
                <small>{formatInteger(check.seq)}</small>
              </span>
            ))}
          </span>
        </div>
      ))}
      <h2>Gates</h2>
      {gates.map((gate) => (
        <div key={gate.id} className="printed-row">
          <StateWord state={gate.state} />
          <span>
            {gate.gate}, round {gate.round}
          </span>
          <span>
            {gate.rules.map(({ rule, actual, need, passed, seq }) => (
              <span key={seq} className={passed ? "" : "bad"}>
                {rule} {formatValue(actual)}/{formatValue(need)}{" "}
              </span>
            ))}
          </span>
        </div>
      ))}
      <h2>Phases</h2>
      {phases.map((phase) => (
        <div key={phase.id} className="printed-row">
          <StateWord state={phase.state} />
          <span>{phase.title || phase.phase}</span>
          <span>
            {formatQuantity(phase.dispatches, "dispatch", "dispatches")},{" "}
            {formatQuantity(phase.retries, "retry", "retries")}, {formatElapsed(phase.ms)} {phase.because}
          </span>
        </div>
      ))}
      {answered.length > 0 ? <h2>Answers</h2> : null}
      {answered.map((row) => (
        <div key={row.id} className="printed-row">
          <span>{row.title}</span>
          <span>{explainRow(row)}</span>
          <span>
            <Clock at={row.answer?.at ?? row.askedAt} /> {row.answer?.note ? `“${row.answer.note}”` : ""}
          </span>
        </div>
      ))}
    </div>
  );
}
