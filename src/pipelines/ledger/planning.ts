import type { Verbs } from "../../core/verbs.ts";
import { yamlOf } from "./artifacts.ts";
import type { Task } from "./contracts.ts";
import { planner } from "./roles.ts";

const REVISIONS = 2;
const RISKS = ["🟢", "🟡", "🔴"] as const;

/** Steps 4 and 4a: a plan that a person may send back twice. */
export async function plan(
  verbs: Verbs<unknown>,
  folder: string,
  known: { design: unknown; spec: unknown; verdicts: unknown },
): Promise<readonly Task[]> {
  const { agent, loop, ask, end } = verbs;
  let wish = "";
  const { tasks } = await loop({ max: 1 + REVISIONS }, async () => {
    const drafted = await agent(planner, { ...known, ...(wish && { note: wish }) });
    await writePlan(verbs, folder, drafted.tasks);
    const answer = await ask({
      title: "Approve the plan?",
      show: drafted.tasks,
      choices: ["approve", "revise", "abort"],
      auto: "approve",
      accepts: "approve",
    });
    if (answer.choice === "abort") return end({ status: "error", reason: "aborted" });
    wish = answer.note ?? "";
    return { tasks: drafted.tasks, decision: answer.decision };
  });
  return tasks;
}

export async function writePlan(
  { write, note }: Verbs<unknown>,
  folder: string,
  tasks: readonly Task[],
): Promise<void> {
  const overall = overallRisk(tasks);
  const output = { overall_risk_summary: overall, total_tasks: tasks.length, tasks };
  await write(`${folder}/plan-output.yaml`, yamlOf(output));
  for (const task of tasks) await write(`${folder}/tasks/${task.id}.yaml`, yamlOf(task));
  await note({ overall_risk: overall });
}

export function overallRisk(tasks: readonly Pick<Task, "risk">[]): Task["risk"] {
  return RISKS[Math.max(0, ...tasks.map((task) => RISKS.indexOf(task.risk)))] ?? "🟢";
}
