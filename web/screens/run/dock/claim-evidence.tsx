import type { CheckRow, DispatchRow, RunPage } from "../../../../src/views/page/page.ts";
import { STATES } from "../../../../src/views/states.ts";
import { Columns } from "../../../parts/columns.tsx";
import { formatElapsed, formatInteger, shortenTree } from "../../../parts/format.ts";
import { Glyph, StateWord } from "../../../parts/glyph.tsx";
import { selectRow } from "../selected-row.ts";
import { type CheckPair, getLeftTree, listEvidence, listGates } from "./dispatch-evidence.ts";
import { GateRules } from "./gate-rules.tsx";

/** The agent's claim on the left, the engine's evidence on the right, and the resulting gate decisions below. */
export function ClaimEvidence({ page, row }: { readonly page: RunPage; readonly row: DispatchRow }) {
  const gates = listGates(page, row);
  return (
    <>
      <div className="claim-evidence">
        <ClaimSide row={row} />
        <EvidenceSide seen={listEvidence(page, row)} tree={getLeftTree(row)} working={row.state === "running"} />
      </div>
      {gates.map((gate) => (
        <GateRules key={gate.id} run={page.head.run} gate={gate} />
      ))}
    </>
  );
}

function ClaimSide({ row }: { readonly row: DispatchRow }) {
  const { claim, changed, outside, contradictedBy } = row;
  return (
    <div className="claim">
      <p className="quiet-text">
        <Glyph state="claim" /> Claim{claim ? ` · record ${formatInteger(claim.seq)}` : ""}
      </p>
      {claim ? <blockquote>“{claim.text}”</blockquote> : <p>{row.state === "running" ? "not answered yet" : "none"}</p>}
      {changed.length > 0 ? (
        <p className="quiet-text">
          changed <code>{changed.join(", ")}</code>
        </p>
      ) : null}
      {outside.length > 0 ? (
        <p className="bad">
          outside the declared files: <code>{outside.join(", ")}</code>
        </p>
      ) : null}
      {contradictedBy.length > 0 ? (
        <p className="bad">
          <Glyph state="failed" /> contradicted by {contradictedBy.length === 1 ? "record" : "records"}{" "}
          {contradictedBy.map(formatInteger).join(", ")}
        </p>
      ) : null}
    </div>
  );
}

type EvidenceProps = { readonly seen: readonly CheckPair[]; readonly tree: string | null; readonly working: boolean };

function EvidenceSide({ seen, tree, working }: EvidenceProps) {
  if (seen.length === 0)
    return (
      <div className="evidence">
        <p className="quiet-text">
          {working
            ? "None yet: the agent is running."
            : tree === null
              ? "The agent left no files to check."
              : "The engine ran no checks on this work."}
        </p>
      </div>
    );
  return (
    <div className="evidence scroll-x">
      <table className="dense-table">
        <Columns
          all={[
            "Check",
            "before",
            `after, tree ${tree === null ? "?" : shortenTree(tree)}`,
            "exit",
            { number: "time" },
            { number: "record" },
          ]}
        />
        <tbody>
          {seen.map(({ check, before }) => (
            <tr key={check.id}>
              <td>
                <button type="button" className="link plain" onClick={() => selectRow(check.id)}>
                  {check.check}
                </button>
              </td>
              <td>{before ? <StateWord state={before.state} word={formatTests(before)} /> : "–"}</td>
              <td>
                <StateWord state={check.state} word={formatResult(check)} />
              </td>
              <td>{check.exitCode ?? "–"}</td>
              <td className="num">{formatElapsed(check.ms)}</td>
              <td className="num quiet-text">{formatInteger(check.seq)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Formats the number of failing tests, or otherwise the result. */
function formatResult(check: CheckRow): string {
  const { tests, because, state } = check;
  if (tests && tests.failed > 0) return `${tests.failed} of ${tests.passed + tests.failed} fail`;
  return formatTests(check) ?? (because || STATES[state].word);
}

function formatTests({ tests }: CheckRow): string | undefined {
  if (!tests) return undefined;
  return `${tests.passed} of ${tests.passed + tests.failed}`;
}
