import type { Decision } from "../../core/decision.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import { type Json, recorded } from "../../core/json.ts";
import type { Host } from "../../core/ports/host.ts";
import { isSqlRule, type Judgement, parametersOf, type Rule, type SqlRule } from "../../core/rule.ts";
import type { Verbs } from "../../core/verbs.ts";
import { type Run, StepFailed } from "../run.ts";
import { type StepPlace, step } from "../step.ts";

type About = Readonly<Record<string, unknown>>;

/** gate(): rules over the ledger and over what is handed in; the decision is recorded and returned. */
export function gateVerbs(run: Run): Pick<Verbs<unknown>, "gate"> {
  return {
    async gate(name, rules, about) {
      const outcome = await step<Decision>(run, {
        verb: "gate",
        name,
        input: { rules: rules.map((rule) => rule.id), about },
        work: async (place) => {
          // Rows of earlier steps must be in the ledger before it is asked.
          await run.recorder.durable();
          return {
            value: await decide(run, place, { name, rules: rules as readonly Rule<never>[], about: recorded(about) }),
          };
        },
        keep: (decision, place) => keepDecision(run, decision, place),
      });
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      return outcome.value;
    },
  };
}

export function keepDecision(run: Run, decision: Decision, place: StepPlace & { readonly seq: number }): void {
  run.state.decisions.set(decision.id, decision);
  const asker = [decision.gate, ...place.scope.branches].join("\n");
  run.state.standing.set(asker, { seq: place.seq, value: decision });
}

async function decide(
  run: Run,
  place: StepPlace,
  gate: { readonly name: string; readonly rules: readonly Rule<never>[]; readonly about: About },
): Promise<Decision> {
  if (gate.rules.length === 0) {
    throw new SignalboxError(
      "RULE_INVALID",
      `The gate "${gate.name}" has no rules.`,
      "Give it at least one: a gate that asks nothing would always pass.",
    );
  }
  const tree = treeOf(gate.about);
  const judgements: Judgement[] = [];
  for (const rule of gate.rules) {
    const params = isSqlRule(rule) ? bind(run, rule, gate.about) : {};
    const judgement = isSqlRule(rule)
      ? await askLedger(run.host.ledger, rule, params)
      : rule.judge(gate.about as never);
    run.recorder.record({
      type: "gate.evaluated",
      key: place.key,
      gate: gate.name,
      rule: rule.id,
      passed: judgement.passed,
      // A rule over values says yes or no: one of one.
      actual: (judgement.actual ?? (judgement.passed ? 1 : 0)) as never,
      need: (judgement.need ?? 1) as never,
      params,
      ...(tree === undefined ? {} : { tree }),
    });
    judgements.push(withFinding(rule, judgement));
  }
  const score = judgements.find((each) => each.score !== undefined)?.score;
  return {
    id: place.key,
    gate: gate.name,
    passed: judgements.every((each) => each.passed),
    blocked: judgements.some((each) => each.blocked === true),
    findings: judgements.flatMap((each) => each.findings ?? []),
    ...(score === undefined ? {} : { score }),
    ...(tree === undefined ? {} : { tree }),
  };
}

/** `tree` in what a gate is about: the tree itself, or its id. */
function treeOf(about: About): string | undefined {
  const tree = about["tree"];
  if (typeof tree === "string") return tree;
  return typeof tree === "object" && tree !== null && "tree" in tree ? String(tree.tree) : undefined;
}

type Parameters = Readonly<Record<string, string | number>>;

export async function askLedger(ledger: Host["ledger"], rule: SqlRule, params: Parameters): Promise<Judgement> {
  const need = typeof rule.need === "number" ? rule.need : Number(params[rule.need.slice(1)]);
  const row = await ledger.ask(rule.sql, params);
  const actual = Number(row?.["actual"] ?? Number.NaN);
  if (Number.isNaN(actual)) throw invalid(rule, "its query gave no number named `actual`");
  const passed = rule.compare === "exactly" ? actual === need : actual >= need;
  return { passed, blocked: !passed && rule.onMiss === "block", actual, need };
}

function bind(run: Run, rule: SqlRule, about: About): Record<string, string | number> {
  const all: About = { ...about, run: run.id };
  const params: Record<string, string | number> = {};
  for (const name of parametersOf(rule)) {
    const value = all[name];
    if (typeof value !== "string" && typeof value !== "number") {
      throw invalid(rule, `its parameter :${name} is not among what the gate is about`);
    }
    params[name] = value;
  }
  return params;
}

function invalid(rule: SqlRule, why: string): SignalboxError {
  return new SignalboxError(
    "RULE_INVALID",
    `The rule ${rule.id} cannot be judged: ${why}.`,
    "Repair the rule or what the gate hands in.",
  );
}

/** Every miss is a finding, so that the next round knows what to repair. */
function withFinding(rule: Rule<never>, judgement: Judgement): Judgement {
  if (judgement.passed || (judgement.findings?.length ?? 0) > 0) return judgement;
  const numbers = isSqlRule(rule) ? ` (is ${show(judgement.actual)}, needs ${show(judgement.need)})` : "";
  const finding: Finding = {
    severity: judgement.blocked ? "blocker" : "major",
    message: `${rule.id}: ${rule.because}${numbers}`,
    by: rule.id,
  };
  return { ...judgement, findings: [finding] };
}

function show(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
