import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { Tasks } from "./contracts.ts";
import { DOC_FILES } from "./docs.ts";
import { initializer, planner, splitter } from "./roles.ts";
import { PLAN } from "./rules.ts";
import type { Started } from "./startup.ts";
import { readTasks } from "./tasks-file.ts";

type Wish = { readonly tree: Tree; readonly findings: readonly Finding[]; readonly report: unknown };
type Planned = { readonly plan: string; readonly tasksText: string | undefined; readonly tree: Tree };

/** Steps O1 to O3: plan, with the documents refreshed beside it where they are not trusted. */
export async function plan(verbs: Verbs<unknown>, started: Started, wish: Wish): Promise<Planned> {
  const { together, attempt, gate, see, end } = verbs;
  const { book, docs, prompt, commands } = started;
  const folder = book.iteration();
  await book.save({ current_phase: "PLANNING", current_step: "O3" }, "iteration.start", "planner.pre_git_gate.start");
  const first = book.progress().iteration_number === 0;
  const snapshot = { docs, prompt, progress: book.progress(), input: first ? prompt : wish.report };
  const order = { iteration: book.progress().iteration_number, snapshot, findings: wish.findings, commands };
  const writes = [`${folder}/plan.md`, `${folder}/tasks.yaml`];
  const { drawn, refreshed } = await together({
    drawn: () => verbs.agent(planner, { ...order, outputs: writes }, { in: wish.tree, writes }),
    refreshed: async () =>
      docs.trusted || !first
        ? undefined
        : attempt(initializer, { mode: "REFRESH_IF_REQUIRED" }, { in: wish.tree, writes: DOC_FILES }),
  });
  const file = await see("file", { path: `${folder}/plan.md`, in: drawn.after });
  if (!file) return end({ status: "error", reason: "the planner left no plan.md" });
  const decision = await gate("plan", [PLAN], { plan: file.text });
  if (!decision.passed) {
    const lines = decision.findings.map((finding) => finding.message).join("; ");
    return end({ status: "error", reason: `the plan puts research off: ${lines}` });
  }
  await book.keep("plan.md", file.text);
  await book.save({}, "planner.complete");
  const tasks = await see("file", { path: `${folder}/tasks.yaml`, in: drawn.after });
  const tree = refreshed?.ok ? refreshed.value.after : wish.tree;
  return { plan: file.text, tasksText: tasks?.text, tree };
}

/** Step O4: the planner's tasks if they are valid, otherwise the splitter's. */
export async function split(verbs: Verbs<unknown>, { book }: Started, planned: Planned): Promise<Tasks> {
  const { agent, see, end } = verbs;
  const path = `${book.iteration()}/tasks.yaml`;
  await book.save({ current_phase: "SPLITTING", current_step: "O4" });
  const first = readTasks(planned.tasksText);
  if (first.ok) {
    await book.save({ tasks_total: first.tasks.tasks.length }, "splitter.skipped_planner_provided", "tasks.ready");
    return first.tasks;
  }
  if (planned.tasksText !== undefined) await book.save({}, "tasks.yaml.invalid");
  const input = { plan: planned.plan, problems: first.problems, outputs: [path] };
  const answer = await agent(splitter, input, { in: planned.tree, writes: [path] });
  const second = readTasks((await see("file", { path, in: answer.after }))?.text);
  if (!second.ok) return end({ status: "error", reason: `tasks.yaml is invalid: ${second.problems.join("; ")}` });
  await book.save({ tasks_total: second.tasks.tasks.length }, "tasks.ready");
  return second.tasks;
}
