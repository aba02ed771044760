import { isSqlRule, type Rule } from "../../core/authoring/rule.ts";
import { explainCheck, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import { counted } from "../../core/text/count.ts";
import { formatNeed } from "../../core/text/need-text.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import { formatQuestionContent } from "../../surfaces/terminal/question-lines.ts";
import { formatTable, type TableCell } from "../../surfaces/terminal/table.ts";
import { getClaimant } from "../../views/evidence.ts";
import { formatClaim } from "../../views/format-claim.ts";
import type { RuleReport } from "../../views/gates.ts";
import type { RunExplanation } from "../commands/why.ts";
import { formatEarlierAnswer } from "../runs/questions/already-answered.ts";
import type { KnownRules } from "./known-rules.ts";

const RULES = 8;
const FINDINGS = 5;
const FAILURES = 3;
const TASKS = 3;
const ANSWERS = 5;
const SHOWN_LINES = 40;
const WIDTH = 96;

type WhyReport = { readonly why: RunExplanation; readonly rules: KnownRules["byId"]; readonly now: number };

/** Formats one screen: the state, its reason, and the records behind each part of it. */
export function formatWhy(paint: Paint, { why, rules, now }: WhyReport): string[] {
  const { standing, exit, pipeline, run } = why;
  return [
    `${paint.bold(standing.status)}  ${pipeline}  ${run}${exit === null ? "" : paint.dim(`  exit ${exit}`)}`,
    `  reason: ${toOneLine(standing.because, 400)}`,
    ...(why.exempt !== null && why.caveats.length === 0 ? [`  no checks: ${toOneLine(why.exempt, 300)}`] : []),
    ...why.caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${toOneLine(caveat, 400)}`),
    ...formatUnaccepted(why),
    ...formatAutomatic(why),
    ...formatQuestions(paint, why),
    ...formatAnswered(paint, why, now),
    ...formatDecision(paint, why, rules),
    ...formatFailures(paint, why),
    ...formatContradictions(paint, why),
    ...(why.results > 0 && why.contradicted.length === 0
      ? ["", `  evidence  ${why.results} ${why.results === 1 ? "result" : "results"}, none failed`]
      : []),
    ...(why.next.length > 0 ? ["", `  next: ${paint.cyan(why.next[0] ?? "")}`] : []),
    ...why.next.slice(1).map((line) => `        ${paint.cyan(line)}`),
  ];
}

function formatUnaccepted({ work: { unaccepted } }: RunExplanation): string[] {
  if (!unaccepted) return [];
  const source = unaccepted.by === undefined ? "" : ` from ${toOneLine(unaccepted.by, 60)}`;
  return [`  not accepted: tree ${unaccepted.tree.slice(0, 10)}${source}`];
}

/** Lists questions that were answered automatically, without a person. */
function formatAutomatic({ automatic }: RunExplanation): string[] {
  if (automatic.length === 0) return [];
  const lines = automatic.slice(0, ANSWERS).map(({ title, choice }) => {
    return `    ${toOneLine(title, WIDTH - 24)} ${toOneLine(choice, 20)}`;
  });
  return ["", "  answered automatically", ...lines, ...formatMore(automatic, ANSWERS)];
}

/** Lists open questions with the material they are about. */
function formatQuestions(paint: Paint, { run, open }: RunExplanation): string[] {
  return open.flatMap(({ choices, ...asked }) => [
    "",
    `  ${paint.yellow("◆")} ${paint.bold(toOneLine(asked.title))}  ${asked.approval}`,
    ...formatQuestionContent({ run, ...asked }, SHOWN_LINES).map((line) => `      ${line}`),
    `      ${choices.map((choice) => toOneLine(choice)).join(" · ")}`,
  ]);
}

function formatAnswered(paint: Paint, { answered }: RunExplanation, now: number): string[] {
  return answered.flatMap((each) => [
    "",
    `  ${paint.green("◆")} ${paint.bold(toOneLine(each.title))}  ${each.approval}`,
    `      ${formatEarlierAnswer(each, now)}; no engine has read it yet`,
  ]);
}

function formatDecision(paint: Paint, { decision }: RunExplanation, known: KnownRules["byId"]): string[] {
  if (!decision) return [];
  const { gate, key, passed, blocked, rules, findings } = decision;
  const verdict = passed ? paint.green("passed") : paint.red(blocked ? "blocked" : "did not pass");
  const cells = rules.slice(0, RULES).map((rule) => formatRuleCells(paint, rule, known.get(rule.rule)));
  return [
    "",
    `  decision  ${paint.bold(toOneLine(gate))} ${verdict}  ${paint.dim(toOneLine(key, 60))}`,
    ...formatTable(cells),
    ...formatMore(rules, RULES),
    ...findings.slice(0, FINDINGS).map(({ severity, message, by }) => {
      const from = by && !message.startsWith(by) ? `${by}: ` : "";
      return `      ${severity}  ${toOneLine(`${from}${message}`, WIDTH - 10 - severity.length)}`;
    }),
    ...formatMore(findings, FINDINGS),
  ];
}

function formatRuleCells(
  paint: Paint,
  { rule, passed, actual, need }: RuleReport,
  known: Rule | undefined,
): TableCell[] {
  const glyph = passed ? "✓" : "✗";
  const compare = known && isSqlRule(known) ? (known.compare ?? "at least") : undefined;
  const needs = toOneLine(formatNeed({ passed, actual, need, compare }), 48);
  return [
    { text: `    ${glyph} ${rule}`, painted: `    ${passed ? paint.green(glyph) : paint.red(glyph)} ${rule}` },
    { text: actual === null ? "" : [formatRuleValue(actual), needs].filter(Boolean).join(", ") },
    { text: toOneLine(known?.because ?? "", 62) },
  ];
}

function formatFailures(paint: Paint, { failures }: RunExplanation): string[] {
  if (failures.length === 0) return [];
  return [
    "",
    "  failures",
    ...failures.slice(-FAILURES).flatMap((each) => {
      const last = each.failures.at(-1);
      const tries = counted(each.attempts, "attempt");
      return [
        `    ${paint.red("✗")} ${toOneLine(each.key, 70)}  ${paint.dim(tries)}`,
        `      ${last?.class ?? ""}: ${toOneLine(last?.message ?? "", WIDTH - 24)}`,
        ...(last?.last ? [`      last output: “${toOneLine(cutStart(last.last), WIDTH - 26)}”`] : []),
      ];
    }),
    ...formatMore(failures, FAILURES),
  ];
}

/** The last output is at the end of the stored text. */
function cutStart(text: string): string {
  return text.trimEnd().slice(-WIDTH + 26);
}

function formatContradictions(paint: Paint, { contradicted }: RunExplanation): string[] {
  if (contradicted.length === 0) return [];
  return [
    "",
    "  evidence compared with claims",
    ...contradicted.slice(0, TASKS).flatMap(({ task, claims, bad }) => {
      const claim = claims.at(-1);
      const name = toOneLine(task, 30) || "whole run";
      return [
        ...(claim
          ? [`    ${name}: ${toOneLine(getClaimant(claim), 24)} claims ${toOneLine(formatClaim(claim.claim), 54)}`]
          : [`    ${name}`]),
        ...bad.slice(0, TASKS).map((seen) => {
          const exit = seen.exitCode === null ? "no exit code" : `exit ${seen.exitCode}`;
          const reason = toOneLine(explainCheck(seen), 60);
          return `      ${paint.red("✗")} engine: ${seen.check} ${getOutcomeWord(seen)}, ${exit} in ${formatDuration(seen.ms)} on ${seen.tree.slice(0, 7)}${reason ? `, ${reason}` : ""}`;
        }),
        ...formatMore(bad, TASKS),
      ];
    }),
    ...formatMore(contradicted, TASKS),
  ];
}

function formatMore(all: readonly unknown[], most: number): string[] {
  return all.length > most ? [`      … and ${all.length - most} more`] : [];
}

const formatRuleValue = (value: unknown): string =>
  toOneLine(typeof value === "string" ? value : JSON.stringify(value), 30);
