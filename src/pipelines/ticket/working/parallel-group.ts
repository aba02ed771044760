import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { splitIntoBatches } from "../../batches.ts";
import { type Integration, mergeContributions } from "../../merge-contributions.ts";
import type { Group, Task, TaskStatus } from "../contracts.ts";
import { isProven } from "../preparing/commands.ts";
import { listTaskFiles } from "../preparing/tasks-file.ts";
import { ACCEPTED, GREEN, INSIDE, isRed, listStrayFiles, SOUND } from "../rules.ts";
import { type AttemptJudgement, type IterationContext, repeatUntilAccepted } from "./attempts.ts";
import { createStrayEntries, type DevelopResult, runDeveloper } from "./develop.ts";
import { selectGroupChecks } from "./group-checks.ts";
import { reviewWork } from "./work-review.ts";

type GroupOrder = { readonly group: Group; readonly tasks: readonly Task[]; readonly tree: Tree };

/** State of a group: base tree, valid work, drafts and open tasks. */
type GroupState = {
  base: Tree;
  readonly valid: Map<string, Tree>;
  readonly drafts: Map<string, Tree>;
  open: readonly Task[];
};

/** Runs all tasks of the group in parallel, then one build. Only failed tasks run again. */
export function runParallelGroup(iteration: IterationContext, side: GroupOrder): Promise<Tree> {
  const { context } = iteration;
  const { group, tasks, tree } = side;
  const state: GroupState = { base: tree, valid: new Map(), drafts: new Map(), open: tasks };
  const work = { name: `group ${group.group}`, tasks, group: group.group };
  return repeatUntilAccepted(iteration, work, async (findings) => {
    const done = await runDevelopers(iteration, state, findings);
    const works = done.map((each) => each.work);
    const inside = await context.gate(`files of group ${group.group}`, [INSIDE, SOUND], { works });
    await recordResults(iteration, state, done);
    if (!inside.passed) return { decision: inside, tree: state.base };
    return buildGroup(iteration, side, state);
  });
}

/**
 * Runs the open tasks in batches; the next batch starts when the previous one is complete.
 * @rule T-16 (policy) Groups run one after the other: parallel ones in batches of `max_parallel_tasks`, sequential ones
 *   task by task.
 */
async function runDevelopers(
  iteration: IterationContext,
  state: GroupState,
  findings: readonly Finding[],
): Promise<readonly DevelopResult[]> {
  const { context, board } = iteration;
  const { max_parallel_tasks } = context.ticketFiles.progress();
  board.begin(state.open.map(({ id }) => id));
  await context.ticketFiles.save({ current_task_id: null, current_task_attempt: 0 });
  const run = (task: Task) => {
    const tree = state.drafts.get(task.id) ?? state.base;
    return runDeveloper(iteration, { task, tree, before: state.base, mode: "PARALLEL", findings });
  };
  const done: DevelopResult[] = [];
  for (const [at, batch] of splitIntoBatches(state.open, max_parallel_tasks).entries()) {
    const some = await context.within(`batch-${at + 1}`, () =>
      context.parallel(batch, run, { key: (task) => task.id }),
    );
    done.push(...some.filter((each) => each !== undefined));
  }
  return done;
}

/** Records each task's own result and stores its draft. */
async function recordResults(
  { context, board }: IterationContext,
  state: GroupState,
  done: readonly DevelopResult[],
): Promise<void> {
  for (const { work, after, changed } of done) {
    const status = toTaskStatus(work);
    const stray = listStrayFiles(work).join(", ");
    const note = stray ? `changed files outside its list: ${stray}` : work.summary;
    board.set(work.id, { status, changed, note: status === "SYNTAX_VALID" ? "" : note });
    state.drafts.set(work.id, after);
    if (status === "SYNTAX_VALID") state.valid.set(work.id, after);
  }
  state.open = state.open.filter(({ id }) => !state.valid.has(id));
  await context.ticketFiles.save({}, ...done.flatMap(createStrayEntries));
}

/**
 * Returns the task status. A parallel task is at best SYNTAX_VALID.
 * @rule T-44 (gate) The task result is: parallel → SYNTAX_VALID, SYNTAX_ERROR, ERROR or REJECTED from developer, file
 *   and syntax check; sequential → ACCEPTED or REJECTED from developer, build, tests and task review.
 */
export function toTaskStatus(work: DevelopResult["work"]): TaskStatus {
  if (listStrayFiles(work).length > 0) return "REJECTED";
  return work.status === "DONE" ? "SYNTAX_VALID" : work.status;
}

async function buildGroup(
  iteration: IterationContext,
  { group, tasks }: GroupOrder,
  state: GroupState,
): Promise<AttemptJudgement> {
  const { context, board, base } = iteration;
  const works = [...state.valid].map(([id, after]) => ({ id, after }));
  const merged = await mergeContributions(context, state.base, works);
  const conflicts = merged.conflicts.map(
    ({ id, files }): Finding => ({
      severity: "major",
      message: `${id} conflicts in ${files.join(", ")}`,
      files,
      by: id,
    }),
  );
  const chosen = selectGroupChecks(context.commands, board.tasks, group.group);
  const about = { baseline: base, task: `group-${group.group}`, ...chosen };
  const evidence = conflicts.length > 0 ? undefined : await context.check(merged.tree, about);
  const tree = merged.tree;
  const green = await context.gate(`group ${group.group}`, [GREEN], { evidence, conflicts, tree: tree.tree });
  const unproven = green.passed && evidence && !isProven(context.commands, evidence) ? evidence : undefined;
  const decision = unproven
    ? await reviewGroup(iteration, { name: group.group, tasks, state, tree, evidence: unproven })
    : green;
  if (decision.passed) for (const { id } of tasks) board.set(id, { status: "ACCEPTED" });
  else if (evidence) rejectTasks(iteration, state, findCulprits(tasks, evidence));
  else rebaseGroup(iteration, state, merged, tasks);
  await context.ticketFiles.save({});
  return { decision, tree };
}

type GroupReview = {
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly state: GroupState;
  readonly tree: Tree;
  readonly evidence: Evidence;
};

/** Asks the Reviewer if no command of the project proves the work. */
async function reviewGroup(
  iteration: IterationContext,
  { name, tasks, state, tree, evidence }: GroupReview,
): Promise<Decision> {
  const what = { mode: "group-review", tasks } as const;
  const { report, told } = await reviewWork(iteration, { name, what, before: state.base, after: tree, evidence });
  await iteration.context.ticketFiles.save({}, ...told);
  return iteration.context.gate(`review of group ${name}`, [ACCEPTED], { report, tree: tree.tree });
}

/** Rejects these tasks; they continue from their drafts, and the others stay valid. */
function rejectTasks({ board }: IterationContext, state: GroupState, guilty: readonly Task[]): void {
  for (const { id } of guilty) {
    state.valid.delete(id);
    board.set(id, { status: "REJECTED", note: "rejected by the group's build, tests or review" });
  }
  state.open = guilty;
}

/** Makes the merged work the new base, so that conflicting tasks do not conflict again. */
function rebaseGroup(
  { board }: IterationContext,
  state: GroupState,
  merged: Integration,
  tasks: readonly Task[],
): void {
  const late = tasks.filter(({ id }) => merged.conflicts.some((each) => each.id === id));
  state.base = merged.tree;
  state.valid.clear();
  state.drafts.clear();
  for (const { id } of late) board.set(id, { status: "REJECTED", note: "conflicts with another task of its group" });
  state.open = late;
}

/** Returns the tasks whose files the failure names, by path, then by file name; all tasks if it names none. */
export function findCulprits(tasks: readonly Task[], evidence: GroupEvidence): readonly Task[] {
  const said = collectFailureText(evidence);
  const findByName = (name: (path: string) => string) =>
    tasks.filter((task) => listTaskFiles(task).some((path) => isMentioned(said, name(path))));
  const byPath = findByName((path) => path);
  if (byPath.length > 0) return byPath;
  const byName = findByName((path) => path.slice(path.lastIndexOf("/") + 1));
  return byName.length > 0 ? byName : tasks;
}

type GroupEvidence = Pick<Evidence, "checks" | "tamper"> & Partial<Pick<Evidence, "regressions" | "findings">>;

/** Collects the texts of a failure: failing tests, their output, and weakened tests. */
function collectFailureText({ checks, tamper, regressions = [], findings = [] }: GroupEvidence): string {
  const red = checks.filter(isRed);
  const names = new Set(red.map(({ name }) => name));
  const found = [...regressions, ...findings].filter(({ message }) => names.has(message.split(" ")[0] ?? ""));
  return [
    ...red.flatMap(({ snippet, output = snippet, failing = [] }) => [output, ...failing]),
    ...[...found, ...tamper].flatMap(({ message, files = [], tests = [], output = "" }) => [
      message,
      output,
      ...files,
      ...tests,
    ]),
  ].join("\n");
}

/** Matches whole names: `a.ts` does not match `data.ts`. */
function isMentioned(said: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(^|[^\\w.-])${escaped}($|[^\\w-])`, "m").test(said);
}
