import type { Finding } from "../../core/finding.ts";
import type { Verbs } from "../../core/verbs.ts";
import { waves } from "../../core/waves.ts";
import { batches } from "../batches.ts";
import { integrate } from "../integrate.ts";
import type { Feature } from "./feature.ts";
import { learned } from "./memory.ts";
import { documentationWriter, implementer, planner } from "./roles.ts";
import { readTask, type Task } from "./task-files.ts";

const SUB_WAVE = 4;
const NEVER_WRITTEN = /^(docs\/feature\/|\.github\/agents\/|\.claude\/agents\/|\.signalbox\/)/;

/** Sends the planner and reads the task files that it leaves. */
export async function planTasks(verbs: Verbs<unknown>, feature: Feature, more: Readonly<Record<string, unknown>>) {
  const { see, note } = verbs;
  const before = await see("files", { under: feature.at("tasks"), in: feature.tree });
  const replan = "mode" in more;
  const reads = ["analysis.md", "feature.md", "design.md", ...(replan ? ["plan.md", "verifier.md"] : [])];
  await feature.solo({ role: planner, step: "4", reads, output: "plan.md", also: ["tasks/**"], more });
  const paths = await see("files", { under: feature.at("tasks"), in: feature.tree });
  const tasks: Task[] = [];
  for (const path of replan ? paths.filter((each) => !before.includes(each)) : paths) {
    const file = await see("file", { path, in: feature.tree });
    const { task, warnings } = readTask(path, file?.text ?? "");
    if (warnings.length > 0) await note({ warnings: [...warnings] });
    tasks.push(task);
  }
  return tasks;
}

/** Step 5: wave after wave. An implementer's error lets its wave finish and stops the next. */
export async function implement(verbs: Verbs<unknown>, feature: Feature, tasks: readonly Task[]) {
  const { within } = verbs;
  let waiting: readonly Task[] = tasks;
  const failed: Finding[] = [];
  for (const [at, wave] of waves(tasks).entries()) {
    const stopped = await within(`wave-${at + 1}`, async () => {
      const errors: Finding[] = [];
      for (const [part, tasks] of batches(wave, SUB_WAVE).entries()) {
        errors.push(...(await within(`part-${part + 1}`, () => implementTogether(verbs, feature, tasks))));
      }
      waiting = waiting.filter((task) => !wave.includes(task));
      failed.push(...errors);
      return errors.some((error) => error.by !== documentationWriter.name);
    });
    if (stopped) break;
  }
  return { waiting, failed };
}

async function implementTogether(verbs: Verbs<unknown>, feature: Feature, tasks: readonly Task[]): Promise<Finding[]> {
  const { parallel } = verbs;
  const base = feature.tree;
  const got = await parallel(tasks, (task) => work(verbs, feature, { task }), { key: (task) => task.id });
  const works = tasks.flatMap((task, at) => {
    const answer = got[at];
    return answer?.ok ? [{ id: task.id, after: answer.value.after }] : [];
  });
  const merged = await integrate(verbs, base, works);
  feature.adopt(merged.tree);
  const lessons = got.flatMap((answer) =>
    answer?.ok ? [{ by: answer.value.by, step: "5", text: answer.value.message }] : [],
  );
  await feature.remember(learned(feature.memory, lessons));
  return tasks.flatMap((task, at): Finding[] => {
    const answer = got[at];
    if (answer && !answer.ok)
      return [{ severity: "major", message: `${task.id}: ${answer.failure.message}`, by: task.agent }];
    const conflict = merged.conflicts.find((each) => each.id === task.id);
    return conflict
      ? [{ severity: "major", message: `${task.id} conflicts with its wave`, files: conflict.files, by: task.agent }]
      : [];
  });
}

/** One task for its agent. Documents and agent definitions are not taken, whatever the task file lists. */
export function work(
  { attempt }: Verbs<unknown>,
  feature: Feature,
  order: { task: Task; findings?: readonly Finding[] },
) {
  const { task, findings } = order;
  const role = task.agent === "documentation-writer" ? documentationWriter : implementer;
  const files = task.files.filter((file) => !NEVER_WRITTEN.test(file));
  const inputs = ["initial-request.md", "memory.md", "feature.md", "design.md"].map(feature.at);
  const input = { inputs: [...inputs, task.path], outputs: files, task: task.id, ...(findings && { findings }) };
  const writes = task.files.length > 0 ? { writes: files } : {};
  return attempt(role, input, { in: feature.tree, task: task.id, ...writes });
}
