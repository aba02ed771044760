import type { GateRow } from "../../../../src/views/page/page.ts";
import { Link, toRunPath } from "../../../app/router.tsx";
import { formatInteger, formatQuantity } from "../../../parts/format.ts";
import { Glyph } from "../../../parts/glyph.tsx";
import { formatValue } from "../rows.ts";

export const toGatePath = (run: string, key: string): string => toRunPath(run, `/gates/${encodeURIComponent(key)}`);

/** A gate with its rules, found and required values, and what the run did next. */
export function GateRules({ run, gate }: { readonly run: string; readonly gate: GateRow }) {
  const missed = gate.rules.filter(({ passed }) => !passed).length;
  const rules = formatQuantity(gate.rules.length, "rule");
  return (
    <div className="gate-rules">
      <h3>
        Gate <Link href={toGatePath(run, gate.key)}>{gate.gate}</Link> ·{" "}
        <span className={missed > 0 ? "bad" : "good"}>
          {missed > 0 ? `missed ${missed} of ${rules}` : `passed, ${rules}`}
        </span>
      </h3>
      <ul>
        {gate.rules.map((rule) => (
          <li key={rule.seq}>
            <span className={rule.passed ? "" : "bad"}>
              <Glyph state={rule.passed ? "passed" : "missed"} label={rule.passed ? "passed" : "missed"} /> {rule.rule}
            </span>
            <span>is {formatValue(rule.actual)}</span>
            <span className="quiet-text">needs {formatValue(rule.need)}</span>
            <span className="num quiet-text">{formatInteger(rule.seq)}</span>
          </li>
        ))}
      </ul>
      {gate.then === "" ? null : (
        <p className="then">
          <span className="quiet-text">Then</span> → {gate.then}
        </p>
      )}
    </div>
  );
}
