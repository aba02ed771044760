import { useState } from "react";
import type { Json } from "../../../src/core/text/json.ts";
import type { GateDetails, RuleDetails } from "../../../src/surfaces/server/port/documents.ts";
import type { GateRow } from "../../../src/views/page/page.ts";
import { useKeys } from "../../app/keyboard.ts";
import { hasServer } from "../../app/router.tsx";
import { buildQuery } from "../../data/api.ts";
import { useFetched } from "../../data/hooks.ts";
import { Button, Copy } from "../../parts/button.tsx";
import { formatInteger } from "../../parts/format.ts";
import { Glyph, StateWord } from "../../parts/glyph.tsx";
import { Clock } from "../../parts/since.tsx";
import { StepKey } from "../../parts/step-key.tsx";
import { formatRule, formatValue } from "../run/rows.ts";
import { FindingList } from "./findings.tsx";
import { RowsTable } from "./rows-table.tsx";

/** One gate evaluation: its numbers, parameters, rows, findings and consequence. */
export function GateDetailView({ run, gate }: { readonly run: string; readonly gate: GateRow }) {
  // The text and rows of rules come from the server, so a report does not have them.
  const path = hasServer() ? `/runs/${encodeURIComponent(run)}/gates${buildQuery({ key: gate.key })}` : null;
  const { value, error } = useFetched<GateDetails>(path, gate.seq);
  const firstMissed = gate.rules.find(({ passed }) => !passed) ?? gate.rules[0];
  const [chosen, setChosen] = useState<string | null>(null);
  const name = gate.rules.some(({ rule }) => rule === chosen) ? chosen : (firstMissed?.rule ?? "");
  const recorded = gate.rules.find(({ rule }) => rule === name);
  const detail = value?.rules.find(({ rule }) => rule === name);
  const sql = detail?.sql ? insertValues(detail.sql, detail.params) : null;
  useKeys({ c: sql === null ? undefined : () => void navigator.clipboard.writeText(sql) });
  if (!recorded) return <p className="card pad">No rule was recorded.</p>;
  return (
    <section className="card gate-detail" aria-label={`Gate ${gate.gate}`}>
      <header className="dock-head">
        <h2>
          {gate.gate}, round {gate.round} <StateWord state={gate.state} />
        </h2>
        <p className="quiet-text">
          <StepKey text={gate.key} /> · record {formatInteger(recorded.seq)} · <Clock at={gate.at} />
        </p>
      </header>
      <dl className="detail-rows">
        <dt>Numbers</dt>
        <dd>
          <p className="numbers">
            <span className={recorded.passed ? "good" : "bad"}>
              {name} is {formatValue(recorded.actual)}
            </span>{" "}
            <span>needs {formatValue(recorded.need)}</span>
          </p>
          {detail?.says ? <p className="quiet-text">{detail.says}</p> : null}
        </dd>
        <dt>Parameters</dt>
        <dd>
          <code>{formatParams(recorded.params)}</code>
        </dd>
        <Sql detail={detail} sql={sql} run={run} />
        {path !== null && !value && !error ? (
          <>
            <dt>Query</dt>
            <dd className="quiet-text">Loading query and rows …</dd>
          </>
        ) : null}
        {error ? (
          <>
            <dt>Query</dt>
            <dd className="bad">{error.message}</dd>
          </>
        ) : null}
        {detail?.rows ? (
          <>
            <dt>Rows</dt>
            <dd>
              <RowsTable rows={detail.rows} />
            </dd>
          </>
        ) : null}
        {gate.findings.length > 0 ? (
          <>
            <dt>Findings</dt>
            <dd>
              <FindingList findings={gate.findings} />
            </dd>
          </>
        ) : null}
        <dt>All rules</dt>
        <dd className="rule-picks">
          {gate.rules.map((rule) => (
            <button key={rule.seq} type="button" aria-pressed={rule.rule === name} onClick={() => setChosen(rule.rule)}>
              <Glyph state={rule.passed ? "passed" : "missed"} /> {formatRule(rule)}
            </button>
          ))}
        </dd>
        <dt>Next</dt>
        <dd>{gate.then === "" ? <span className="quiet-text">none yet</span> : `→ ${gate.then}`}</dd>
      </dl>
    </section>
  );
}

type SqlProps = { readonly detail: RuleDetails | undefined; readonly sql: string | null; readonly run: string };

function Sql({ detail, sql, run }: SqlProps) {
  if (!detail || sql === null) return null;
  const command = `signalbox gate ${detail.rule} --run ${run} --sql`;
  return (
    <>
      <dt>SQL</dt>
      <dd>
        <pre className="wrap">{detail.sql}</pre>
        <p className="buttons-left">
          <Button onPress={() => void navigator.clipboard.writeText(sql)}>Copy SQL with values</Button>{" "}
          <Copy text={command}>Copy command</Copy> <code className="quiet-text">{command}</code>
        </p>
      </dd>
    </>
  );
}

function formatParams(params: Json): string {
  if (params === null || typeof params !== "object") return formatValue(params);
  const parts = Object.entries(params).map(([name, value]) => `:${name} ${formatValue(value)}`);
  return parts.length === 0 ? "none" : parts.join("  ");
}

function insertValues(sql: string, params: Json): string {
  const values = new Map(params !== null && typeof params === "object" ? Object.entries(params) : []);
  return sql.replaceAll(/:([a-z_]\w*)/gi, (match, name: string) =>
    values.has(name) ? toSqlLiteral(values.get(name)) : match,
  );
}

const toSqlLiteral = (value: unknown): string =>
  typeof value === "number" ? String(value) : value === null ? "NULL" : `'${formatValue(value).replaceAll("'", "''")}'`;
