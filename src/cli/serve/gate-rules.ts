import { SignalboxError } from "../../core/failure/errors.ts";
import { LEDGER_TABLES } from "../../core/journal/ledger.ts";
import type { Json } from "../../core/text/json.ts";
import type { RuleDetails, SqlTable } from "../../surfaces/server/port/documents.ts";
import type { GateRow, RunPage } from "../../views/page/page.ts";
import type { Evaluation } from "../inspect/reevaluate.ts";
import { runOwnCommand } from "../start/own-command.ts";

type GateRequest = { readonly top: string; readonly page: RunPage; readonly key: string };

/**
 * Returns a gate with its rules and the rows they read, as `signalbox gate` prints them. Runs in a separate process
 * because loading a repository's own pipeline executes its code.
 */
export async function readGateRules({ top, page, key }: GateRequest) {
  const gate = page.rows.find((row): row is GateRow => row.kind === "gate" && row.key === key);
  if (!gate) {
    throw new SignalboxError("OBJECT_GONE", `Run ${page.head.run} has no gate "${key}".`, "Choose one on its page.");
  }
  const asked = ["gate", "--run", page.head.run, "--json"];
  const [judged, texts] = await Promise.all([
    runOwnCommand({ top, args: [...asked, "--", gate.gate] }),
    // The text is missing if the gate's rules no longer exist.
    runOwnCommand({ top, args: [...asked, "--sql", "--", gate.gate] }).catch(() => ({ rules: [] })),
  ]);
  // Matches that command's JSON output.
  const evaluations = (judged["evaluations"] ?? []) as unknown as readonly Evaluation[];
  const rules = (texts["rules"] ?? []) as readonly { readonly id: string; readonly sql?: string }[];
  const sql = new Map(rules.map((rule) => [rule.id, rule.sql ?? null]));
  return {
    gate: gate.gate,
    rules: evaluations.filter((each) => each.key === key).map((each) => toRuleResult(each, sql.get(each.rule) ?? null)),
  };
}

function toRuleResult({ rule, because, params, recorded, rows }: Evaluation, sql: string | null): RuleDetails {
  const { actual, need, passed } = recorded;
  return { rule, says: because, sql, params, actual, need, passed, rows: toTable(rows) };
}

/**
 * Converts rows to a table with the record that each derives from. For a rule over several tables, the first one is
 * used.
 */
function toTable([first]: Evaluation["rows"]): SqlTable | null {
  if (!first) return null;
  const columns = ["record", ...LEDGER_TABLES[first.table]];
  return { columns, rows: first.rows.map(({ record, values }): readonly Json[] => [record, ...values]) };
}
