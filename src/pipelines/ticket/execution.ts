import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { batches } from "../batches.ts";
import { integrate } from "../integrate.ts";
import type { Task, Tasks } from "./contracts.ts";
import { developer, reviewer } from "./roles.ts";
import { ACCEPTED, GREEN, INSIDE, type Worked } from "./rules.ts";
import type { Started } from "./startup.ts";
import { writesOf } from "./tasks-file.ts";

const ATTEMPTS = 5;

type Group = Tasks["execution_order"][number];
type Place = { readonly verbs: Verbs<unknown>; readonly started: Started; readonly all: Tasks };
type Round = { readonly round: number; readonly findings: readonly Finding[] };
type Judged = { readonly decision: Decision; readonly tree: Tree };

/** Step O5: the groups in their order; each must be accepted before the next begins. */
export async function executeGroups(place: Place, start: Tree): Promise<Tree> {
  const { verbs, started, all } = place;
  let tree = start;
  const accepted: string[] = [];
  for (const group of all.execution_order) {
    tree = await verbs.within(`group-${group.group}`, () => executeGroup(place, group, tree));
    accepted.push(...group.tasks);
    await started.book.keepTasks(all, accepted);
    await started.book.save({ tasks_completed: accepted.length });
  }
  return tree;
}

async function executeGroup(place: Place, group: Group, start: Tree): Promise<Tree> {
  const tasks = place.all.tasks.filter((task) => group.tasks.includes(task.id));
  if (group.strategy === "parallel") return parallelGroup(place, group, { tasks, tree: start });
  let tree = start;
  for (const task of tasks) {
    tree = await place.verbs.within(task.id, () => singleTask(place, { task, tree, review: true }));
  }
  return tree;
}

/** One task until it is accepted. In the trivial path nobody reviews it: build and tests decide. */
export function singleTask(
  place: Place,
  { task, tree, review }: { task: Task; tree: Tree; review: boolean },
): Promise<Tree> {
  const { verbs } = place;
  let start = tree;
  return untilAccepted(place, task.id, async (round): Promise<Judged> => {
    const { work, after } = await develop(place, { task, tree: start, ...round });
    start = after;
    const inside = await verbs.gate(`files ${task.id}`, [INSIDE], { works: [work] });
    if (!inside.passed) return { decision: inside, tree };
    const evidence = await verbs.check(after, { baseline: place.started.base, task: task.id });
    const about = { evidence, conflicts: [], tree: after.tree };
    const green = await verbs.gate(`build ${task.id}`, [GREEN], about);
    if (!green.passed || !review) return { decision: green, tree: after };
    const report = await verbs.agent(reviewer, { mode: "task-review", task, evidence }, { in: after, task: task.id });
    return { decision: await verbs.gate(`task ${task.id}`, [ACCEPTED], { report, tree: after.tree }), tree: after };
  });
}

/** All tasks of the group side by side, then one build for all; only what failed runs again. */
function parallelGroup(
  place: Place,
  group: Group,
  { tasks, tree }: { tasks: readonly Task[]; tree: Tree },
): Promise<Tree> {
  const { verbs, started } = place;
  const valid = new Map<string, Tree>();
  const drafts = new Map<string, Tree>();
  return untilAccepted(place, `group ${group.group}`, async (round): Promise<Judged> => {
    const open = tasks.filter((task) => !valid.has(task.id));
    const done = await developAll(place, open, (task) =>
      develop(place, { task, tree: drafts.get(task.id) ?? tree, ...round }),
    );
    for (const { work, after } of done) drafts.set(work.id, after);
    for (const { work, after } of done.filter((each) => isInside(each.work))) valid.set(work.id, after);
    const works = done.map((each) => each.work);
    const inside = await verbs.gate(`files of group ${group.group}`, [INSIDE], { works });
    if (!inside.passed) return { decision: inside, tree };
    const merged = await integrate(
      verbs,
      tree,
      tasks.map((task) => ({ id: task.id, after: valid.get(task.id) ?? tree })),
    );
    const conflicts = merged.conflicts.map(
      ({ id, files }): Finding => ({ severity: "major", message: `${id} conflicts`, files, by: id }),
    );
    for (const { id } of merged.conflicts) {
      valid.delete(id);
      drafts.delete(id);
    }
    const evidence = await verbs.check(merged.tree, { baseline: started.base, task: `group-${group.group}` });
    const decision = await verbs.gate(`group ${group.group}`, [GREEN], { evidence, conflicts, tree: merged.tree.tree });
    if (!decision.passed && conflicts.length === 0) valid.clear();
    return { decision, tree: merged.tree };
  });
}

type Developed = { readonly work: Worked; readonly after: Tree };

/** As many at once as the machine has cores. */
async function developAll({ verbs, started }: Place, tasks: readonly Task[], run: (task: Task) => Promise<Developed>) {
  const done: Developed[] = [];
  for (const [at, batch] of batches(tasks, started.cores).entries()) {
    const some = await verbs.within(`batch-${at + 1}`, () => verbs.parallel(batch, run, { key: (task) => task.id }));
    done.push(...some.filter((each) => each !== undefined));
  }
  return done;
}

const isInside = (work: Worked): boolean => work.status === "DONE" && work.outside.length === 0;

/** Five attempts; then the run is paused, and a person who resumes it gives five more. */
async function untilAccepted(place: Place, name: string, body: (round: Round) => Promise<Judged>): Promise<Tree> {
  const { verbs, started } = place;
  for (let budget = 1; ; budget += 1) {
    const result = await verbs.within(`budget-${budget}`, () => verbs.loop({ max: ATTEMPTS }, body));
    if (result.ended === "passed") return result.tree;
    await started.book.save({ status: "PAUSED" }, "task.max_attempts");
    await verbs.pause(`${name}: ${ATTEMPTS} attempts are used`, result.decision.findings);
    await started.book.save({ status: "PENDING" }, "resume");
  }
}

async function develop({ verbs, started, all }: Place, order: { task: Task; tree: Tree } & Round): Promise<Developed> {
  const { task, tree, round, findings } = order;
  const { prompt, commands, book } = started;
  const mandates = prompt.tool_mandates.filter((mandate) => mandate.assigned_agent === "developer");
  const input = {
    jira: prompt.jira,
    iteration: book.progress().iteration_number,
    task,
    attempt: round,
    commands,
    tool_mandates: [...mandates.map((mandate) => mandate.text), ...task.tool_mandates],
    findings: findings.filter(
      (finding) => finding.by === undefined || finding.by === task.id || finding.by === "build",
    ),
  };
  const answer = await verbs.attempt(developer, input, { in: tree, writes: writesOf(task, all), task: task.id });
  if (!answer.ok) {
    const work: Worked = { id: task.id, status: "ERROR", summary: answer.failure.message, outside: [] };
    return { work, after: tree };
  }
  const { status, summary, outside, after } = answer.value;
  const work: Worked = { id: task.id, status, summary, outside };
  return { work, after };
}
