import type { Finding } from "../../../core/authoring/finding.ts";
import { matchesAny } from "../../../core/checks/guard/glob.ts";
import type { Task } from "../planning/task-files.ts";

export type TaskFindings = { readonly task: Task; readonly findings: readonly Finding[] };

/** Assigns findings to tasks by their files. Findings without an owner go to every task that is dispatched anyway. */
export function assignFindings(tasks: readonly Task[], findings: readonly Finding[]): readonly TaskFindings[] {
  const homeless = findings.filter((finding) => !tasks.some((task) => owns(task, finding)));
  const owned = tasks.map((task) => ({ task, findings: findings.filter((finding) => owns(task, finding)) }));
  const some = owned.filter((each) => each.findings.length > 0);
  if (some.length === 0) return tasks.map((task) => ({ task, findings: homeless }));
  return some.map((each) => ({ ...each, findings: [...each.findings, ...homeless] }));
}

export const owns = (task: Task, { files = [] }: Finding): boolean =>
  files.some((file) => matchesAny(file, task.files));
