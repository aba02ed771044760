import type { Plan } from "./contracts.ts";
import { kindOf, tierOf } from "./plan-rules.ts";

const SUBJECT_LENGTH = 50;

export type Outcome = { readonly plan: Plan; readonly completed: number; readonly date: number };

/** One entry of the session log, the newest at the end. */
export function outcomeEntry({ plan, completed, date }: Outcome): string {
  const status = completed === plan.phases.length ? "SUCCESS" : completed > 0 ? "PARTIAL" : "FAILED";
  return [
    `## ${plan.task_title}`,
    `- Date: ${new Date(date).toISOString().slice(0, 10)}`,
    `- Tier: ${tierOf(plan)}`,
    `- Phases: ${completed} of ${plan.phases.length}`,
    `- Status: ${status}`,
    "",
  ].join("\n");
}

/** Prefix and subject; plan names and phase numbers stay out of the history. */
export function commitMessage(plan: Pick<Plan, "task_title" | "phases">): string {
  const codes = plan.phases.some((phase) => kindOf(phase) === "code");
  const [, named] = /^(fix|feat|chore|test|refactor)\b/i.exec(plan.task_title) ?? [];
  const prefix = named?.toLowerCase() ?? (/\bfix|bug\b/i.test(plan.task_title) ? "fix" : codes ? "feat" : "chore");
  const subject = plan.task_title
    .replace(/^(fix|feat|chore|test|refactor)\b:?\s*/i, "")
    .replace(/\bphase[\s-]*\d+\b/gi, "")
    .replace(/\s+/g, " ")
    .trim();
  return `${prefix}: ${subject.slice(0, SUBJECT_LENGTH).trim()}`;
}
