import type { Decision } from "../../core/authoring/decision.ts";
import { bindParameters, judgeRule, type RuleJudgement, type RuleParams } from "../../core/authoring/judge-rule.ts";
import { isSqlRule, type Rule, serializeRule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { resolveGatePlace } from "../../core/journal/gate-place.ts";
import { toStored } from "../../core/text/json.ts";
import { getGatePlace } from "../replay/scope.ts";
import { runStep, type StepPlace } from "../replay/step.ts";
import { createNever, type Run, StepFailed } from "../run.ts";
import { readSettledRows, refuseForgedRows } from "./interlock/derived-rows.ts";

type GateInput = Readonly<Record<string, unknown>>;
type Gate = { readonly name: string; readonly rules: readonly Rule[]; readonly about: GateInput };

/** gate(): evaluates rules over the ledger and over the given values; the decision is recorded and returned. */
export function createGateVerbs(run: Run): Pick<Verbs<unknown>, "gate"> {
  return {
    async gate(name, given, about) {
      // The rules are only ever called with this very `about`.
      const rules = given as readonly Rule[];
      const wrong = findAmbiguity(run, name, rules);
      if (wrong) run.refuse(wrong);
      const outcome = await runStep<Decision>(run, {
        verb: "gate",
        name,
        input: { rules: rules.map((rule) => rule.id), about },
        work: async (place) => ({ value: await decideGate(run, place, { name, rules, about: toStored(about) }) }),
        keep: (decision, place) => storeDecision(run, decision, place),
      });
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      return outcome.value;
    },
  };
}

export function storeDecision(run: Run, decision: Decision, place: StepPlace & { readonly seq: number }): void {
  run.state.decisions.set(decision.id, decision);
  const at = resolveGatePlace({ key: place.key, gate: decision.gate, place: getGatePlace(place.scope) });
  run.state.standing.set(at, { seq: place.seq, value: decision });
}

/**
 * Returns an error if an id is ambiguous. Records name a rule by its id alone, so an id must mean one rule for the
 * whole run.
 */
function findAmbiguity({ state }: Run, gate: string, rules: readonly Rule[]): SignalboxError | undefined {
  if (rules.length === 0) {
    const hint = "Add at least one rule: a gate without rules would always pass.";
    return new SignalboxError("RULE_INVALID", `The gate "${gate}" has no rules.`, hint);
  }
  const hint = "Give each rule an id of its own, such as R-1/files and R-1/tests.";
  const ids = rules.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) {
    return new SignalboxError("RULE_INVALID", `The gate "${gate}" has two rules with the id ${twice}.`, hint);
  }
  for (const rule of rules) {
    const known = state.rules.get(rule.id) ?? serializeRule(rule);
    state.rules.set(rule.id, known);
    if (known === serializeRule(rule)) continue;
    const message = `The rule ${rule.id} of the gate "${gate}" differs from the earlier rule with this id.`;
    return new SignalboxError("RULE_INVALID", message, hint);
  }
  return undefined;
}

async function decideGate(run: Run, place: StepPlace, gate: Gate): Promise<Decision> {
  const tree = getGateTree(gate.about);
  if (gate.rules.some(isSqlRule)) await refuseForgedRows(run);
  const judged = await readSettledRows(run, () => judgeRules(run, gate));
  if (run.over) return createNever();
  // Recorded in the same turn: the rules were judged by the rows of all records before these.
  for (const { rule, params, ruling } of judged) {
    run.recorder.record({
      type: "gate.evaluated",
      key: place.key,
      gate: gate.name,
      rule: rule.id,
      passed: ruling.passed,
      actual: ruling.actual,
      need: ruling.need,
      params,
      ...(tree === undefined ? {} : { tree }),
      place: [...getGatePlace(place.scope)],
    });
  }
  const rulings = judged.map(({ ruling }) => ruling);
  const score = rulings.find((each) => each.score !== undefined)?.score;
  return {
    id: place.key,
    gate: gate.name,
    passed: rulings.every((each) => each.passed),
    blocked: rulings.some((each) => each.blocked),
    findings: rulings.flatMap((each) => each.findings),
    ...(score === undefined ? {} : { score }),
    ...(tree === undefined ? {} : { tree }),
  };
}

type RuleResult = { readonly rule: Rule; readonly params: RuleParams; readonly ruling: RuleJudgement };

async function judgeRules({ id, host }: Run, { rules, about }: Gate): Promise<readonly RuleResult[]> {
  const judged: RuleResult[] = [];
  for (const rule of rules) {
    const params = isSqlRule(rule) ? bindParameters(rule, { ...about, run: id }) : {};
    judged.push({ rule, params, ruling: await judgeRule(rule, { about, params, ask: host.ledger.ask }) });
  }
  return judged;
}

/** Returns the tree that a gate is about: `tree` is the tree itself or its id. */
function getGateTree(about: GateInput): string | undefined {
  const tree = about["tree"];
  if (typeof tree === "string") return tree;
  return typeof tree === "object" && tree !== null && "tree" in tree ? String(tree.tree) : undefined;
}
