import type { GateRow } from "../../../../src/views/page/page.ts";
import { Link, runPath } from "../../../app/router.tsx";
import { some, whole } from "../../../parts/format.ts";
import { Glyph } from "../../../parts/glyph.tsx";
import { plain } from "../rows.ts";

export const gatePath = (run: string, key: string): string => runPath(run, `/gates/${encodeURIComponent(key)}`);

/** A gate with its rules, found and required values, and what the run did next. */
export function GateRules({ run, gate }: { readonly run: string; readonly gate: GateRow }) {
  const missed = gate.rules.filter(({ passed }) => !passed).length;
  const rules = some(gate.rules.length, "rule");
  return (
    <div className="gate-rules">
      <h3>
        Gate <Link href={gatePath(run, gate.key)}>{gate.gate}</Link> ·{" "}
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
            <span>is {plain(rule.actual)}</span>
            <span className="quiet-text">needs {plain(rule.need)}</span>
            <span className="num quiet-text">{whole(rule.seq)}</span>
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
