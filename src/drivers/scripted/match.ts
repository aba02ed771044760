import type { DispatchOrder } from "../../core/ports/driver.ts";
import type { Script, ScriptRule } from "./script.ts";

export type DispatchIdentity = Pick<
  DispatchOrder,
  "effect" | "run" | "role" | "pipeline" | "phase" | "instance" | "task" | "round" | "attempt"
>;

/** Returns the first matching rule; a key that a rule omits matches everything. */
export function findRule(script: Script, order: DispatchIdentity): ScriptRule | undefined {
  return script.agents.find((rule) => matchesRule(rule, order));
}

/** Returns the step key of an attempt; the effect id is `run/key@attempt`. */
export function getStepKey({ effect, run }: Pick<DispatchOrder, "effect" | "run">): string {
  return effect.slice(run.length + 1, effect.lastIndexOf("@"));
}

/** Describes a dispatch in messages. */
export function formatDispatch(order: DispatchIdentity): string {
  const { role, pipeline, phase, instance, task, round, attempt } = order;
  return Object.entries({ role, pipeline, phase, instance, task, round, attempt })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(", ");
}

const TEXTS = ["role", "pipeline", "phase", "task"] as const;
const NUMBERS = ["round", "attempt"] as const;

function matchesRule(rule: ScriptRule, order: DispatchIdentity): boolean {
  const texts = TEXTS.every((key) => rule[key] === undefined || isLike(order[key], rule[key]));
  if (rule.key !== undefined && rule.key !== getStepKey(order)) return false;
  if (rule.instance !== undefined && !isInstance(order, rule.instance)) return false;
  return texts && NUMBERS.every((key) => rule[key] === undefined || rule[key] === order[key]);
}

/** The instance `researcher-impact` of the role `researcher` also matches `impact`. */
function isInstance({ role, instance }: DispatchIdentity, pattern: string): boolean {
  return isLike(instance, pattern) || (pattern !== "" && isLike(instance, `${role}-${pattern}`));
}

/** `*` matches any text and `?` one character; all other characters match themselves. */
function isLike(text: string, pattern: string): boolean {
  if (text === pattern) return true;
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(text);
}
