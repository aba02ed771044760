import type { DispatchOrder } from "../../core/ports/driver.ts";
import type { Script, ScriptRule } from "./script.ts";

export type DispatchIdentity = Pick<
  DispatchOrder,
  "effect" | "run" | "role" | "pipeline" | "phase" | "instance" | "task" | "round" | "attempt"
>;

/** The first rule that fits; a key that a rule leaves out fits everything. */
export function ruleFor(script: Script, order: DispatchIdentity): ScriptRule | undefined {
  return script.agents.find((rule) => fits(rule, order));
}

/** The key of the step that an attempt belongs to: its effect is `run/key@attempt`. */
export function keyOf({ effect, run }: Pick<DispatchOrder, "effect" | "run">): string {
  return effect.slice(run.length + 1, effect.lastIndexOf("@"));
}

/** How a dispatch is called in messages. */
export function dispatchName(order: DispatchIdentity): string {
  const { role, pipeline, phase, instance, task, round, attempt } = order;
  return Object.entries({ role, pipeline, phase, instance, task, round, attempt })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(", ");
}

const TEXTS = ["role", "pipeline", "phase", "task"] as const;
const NUMBERS = ["round", "attempt"] as const;

function fits(rule: ScriptRule, order: DispatchIdentity): boolean {
  const texts = TEXTS.every((key) => rule[key] === undefined || isLike(order[key], rule[key]));
  if (rule.key !== undefined && rule.key !== keyOf(order)) return false;
  if (rule.instance !== undefined && !isInstance(order, rule.instance)) return false;
  return texts && NUMBERS.every((key) => rule[key] === undefined || rule[key] === order[key]);
}

/** `researcher-impact` of the role `researcher` may be called `impact`. */
function isInstance({ role, instance }: DispatchIdentity, pattern: string): boolean {
  return isLike(instance, pattern) || (pattern !== "" && isLike(instance, `${role}-${pattern}`));
}

/** `*` stands for any text, `?` for one character; everything else for itself. */
function isLike(text: string, pattern: string): boolean {
  if (text === pattern) return true;
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(text);
}
