import { isSqlRule, listParameters, type Rule } from "../../core/authoring/rule.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import type { Json } from "../../core/text/json.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";
import { loadKnownRules, matchesGate, matchesRule } from "./known-rules.ts";

type RuleTextOptions = { readonly run?: string; readonly trust?: boolean };
type RuleText = { readonly pipeline: string; readonly rule: Rule; readonly last?: JournalRecord<"gate.evaluated"> };

/** Prints the source of a rule, or of all rules of a gate, with the parameters of its last evaluation. */
export async function printRuleTexts(call: Call, name: string, asked: RuleTextOptions): Promise<number> {
  const { rules, evaluated } = await loadRules(call, asked);
  const ids = new Set(evaluated.filter((record) => matchesGate(name, record)).map((record) => record.rule));
  const meant = rules.filter(({ rule }) => ids.has(rule.id) || matchesRule(name, rule.id));
  if (meant.length === 0) throw toUnknownRuleError(name, rules, evaluated);
  const texts = meant.map((each): RuleText => {
    const last = evaluated.findLast((record) => record.rule === each.rule.id);
    return { ...each, ...(last ? { last } : {}) };
  });
  if (call.json) call.emit({ v: 1, name, rules: texts.map(toRuleDocument) });
  else call.print(texts.map(formatRuleText).join("\n\n"));
  return 0;
}

/** Rules of the run's own pipeline come first. Built-in rules are available without a run or a repository. */
async function loadRules(call: Call, asked: RuleTextOptions) {
  const { RULE_BOOK } = await import("../../pipelines/rule-book.ts");
  const all = Object.entries(RULE_BOOK).flatMap(([pipeline, rules]) => rules.map((rule) => ({ pipeline, rule })));
  const nothing = { rules: all, evaluated: [] as readonly JournalRecord<"gate.evaluated">[] };
  try {
    return await withRunStore(call, async (store) => {
      const row = await findRun(store.host, store.places.top, asked.run);
      const records = await store.host.journal.load(row.id);
      const evaluated = records.filter((record) => record.type === "gate.evaluated");
      const { byId } = await loadKnownRules(call, { store, row, records }, asked);
      const own = [...byId.values()].map((rule) => ({ pipeline: row.pipeline, rule }));
      const others = all.filter(({ rule }) => !byId.has(rule.id));
      return { rules: [...own, ...others], evaluated };
    });
  } catch (error) {
    const none = error instanceof SignalboxError && (error.code === "NOT_A_REPOSITORY" || error.code === "RUN_UNKNOWN");
    if (none && asked.run === undefined) return nothing;
    throw error;
  }
}

function toRuleDocument({ pipeline, rule, last }: RuleText) {
  const { id, because } = rule;
  const asked = last ? { params: last.params, seq: last.seq, run: last.run } : {};
  if (!isSqlRule(rule)) return { pipeline, id, because, kind: "value", ...asked };
  const { sql, need, compare = "at least", onMiss = "revise" } = rule;
  return { pipeline, id, because, kind: "sql", sql, need, compare, onMiss, parameters: listParameters(rule), ...asked };
}

/** Formats a rule as SQL that can be run as it is: all but the query is a comment. */
function formatRuleText({ pipeline, rule, last }: RuleText): string {
  const head = `-- ${rule.id} of ${pipeline}: ${rule.because}`;
  if (!isSqlRule(rule)) return `${head}\n-- evaluated in code on the gate's input values; there is no SQL`;
  const miss = rule.onMiss === "block" ? "a failure blocks the run" : "a failure sends the work back";
  const need = typeof rule.need === "number" ? rule.need : `the value of ${rule.need}`;
  // The gate itself recorded the parameters, which are texts and numbers by name.
  const bound = (last?.params ?? {}) as Readonly<Record<string, Json>>;
  const parameters = listParameters(rule).map((name) =>
    last ? `:${name} = ${formatLiteral(bound[name])}` : `:${name}`,
  );
  return [
    head,
    `-- requires ${rule.compare ?? "at least"} ${need}; ${miss}`,
    `-- ${parameters.join("  ")}${last ? `  (record ${last.seq} of ${last.run})` : ""}`,
    `${rule.sql.trim()};`,
  ].join("\n");
}

function formatLiteral(value: Json | undefined): string {
  return typeof value === "string" ? `'${toOneLine(value, 120).replaceAll("'", "''")}'` : String(value ?? "NULL");
}

function toUnknownRuleError(
  name: string,
  rules: readonly RuleText[],
  evaluated: readonly { gate: string }[],
): SignalboxError {
  const names = [...new Set([...rules.map(({ rule }) => rule.id), ...evaluated.map(({ gate }) => gate)])];
  const close = findNearestWord(name, names);
  return new SignalboxError(
    "USAGE",
    `Unknown gate or rule "${name}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Known rules: ${names.join(", ")}. Rules of a repository's own pipelines need --trust and a run.`,
  );
}
