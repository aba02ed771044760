import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Evidence } from "../../core/verbs.ts";
import { batches } from "../batches.ts";
import { type Integrated, integrate } from "../integrate.ts";
import { type Judged, type Place, untilAccepted } from "./attempts.ts";
import { checksFor, isProven } from "./commands.ts";
import type { Group, Task, TaskStatus } from "./contracts.ts";
import { type Developed, develop, strayLines } from "./develop.ts";
import { ACCEPTED, GREEN, INSIDE, isRed, SOUND, strayed } from "./rules.ts";
import { filesOf } from "./tasks-file.ts";
import { reviewWork } from "./work-review.ts";

type Side = { readonly group: Group; readonly tasks: readonly Task[]; readonly tree: Tree };

/** Where the group stands: what everybody starts from, work that is good so far, and work that is not. */
type State = {
  base: Tree;
  readonly valid: Map<string, Tree>;
  readonly drafts: Map<string, Tree>;
  open: readonly Task[];
};

/** All tasks of the group side by side, then one build for all; only what failed runs again. */
export function parallelGroup(place: Place, side: Side): Promise<Tree> {
  const { desk } = place;
  const { group, tasks, tree } = side;
  const state: State = { base: tree, valid: new Map(), drafts: new Map(), open: tasks };
  const work = { name: `group ${group.group}`, tasks, group: group.group };
  return untilAccepted(place, work, async (findings) => {
    const done = await developAll(place, state, findings);
    const works = done.map((each) => each.work);
    const inside = await desk.gate(`files of group ${group.group}`, [INSIDE, SOUND], { works });
    await settle(place, state, done);
    if (!inside.passed) return { decision: inside, tree: state.base };
    return buildGroup(place, side, state);
  });
}

/** As many at once as the machine has cores; the next batch begins when the last of this one is back. */
async function developAll(place: Place, state: State, findings: readonly Finding[]): Promise<readonly Developed[]> {
  const { desk, board } = place;
  const { max_parallel_tasks } = desk.book.progress();
  board.begin(state.open.map(({ id }) => id));
  await desk.book.save({ current_task_id: null, current_task_attempt: 0 });
  const run = (task: Task) => {
    const tree = state.drafts.get(task.id) ?? state.base;
    return develop(place, { task, tree, before: state.base, mode: "PARALLEL", findings });
  };
  const done: Developed[] = [];
  for (const [at, batch] of batches(state.open, max_parallel_tasks).entries()) {
    const some = await desk.within(`batch-${at + 1}`, () => desk.parallel(batch, run, { key: (task) => task.id }));
    done.push(...some.filter((each) => each !== undefined));
  }
  return done;
}

/** What each task came to by itself; its draft is kept, good or not. */
async function settle({ desk, board }: Place, state: State, done: readonly Developed[]): Promise<void> {
  for (const { work, after, changed } of done) {
    const status = statusOf(work);
    const stray = strayed(work).join(", ");
    const note = stray ? `changed files outside its list: ${stray}` : work.summary;
    board.set(work.id, { status, changed, note: status === "SYNTAX_VALID" ? "" : note });
    state.drafts.set(work.id, after);
    if (status === "SYNTAX_VALID") state.valid.set(work.id, after);
  }
  state.open = state.open.filter(({ id }) => !state.valid.has(id));
  await desk.book.save({}, ...done.flatMap(strayLines));
}

/** A parallel task is never accepted by itself: at best it can be read. */
export function statusOf(work: Developed["work"]): TaskStatus {
  if (strayed(work).length > 0) return "REJECTED";
  return work.status === "DONE" ? "SYNTAX_VALID" : work.status;
}

async function buildGroup(place: Place, { group, tasks }: Side, state: State): Promise<Judged> {
  const { desk, board, base } = place;
  const works = [...state.valid].map(([id, after]) => ({ id, after }));
  const merged = await integrate(desk, state.base, works);
  const conflicts = merged.conflicts.map(
    ({ id, files }): Finding => ({
      severity: "major",
      message: `${id} conflicts in ${files.join(", ")}`,
      files,
      by: id,
    }),
  );
  const chosen = checksFor(desk.commands, board.tasks, group.group);
  const about = { baseline: base, task: `group-${group.group}`, ...chosen };
  const evidence = conflicts.length > 0 ? undefined : await desk.check(merged.tree, about);
  const tree = merged.tree;
  const green = await desk.gate(`group ${group.group}`, [GREEN], { evidence, conflicts, tree: tree.tree });
  const unproven = green.passed && evidence && !isProven(desk.commands, evidence) ? evidence : undefined;
  const decision = unproven
    ? await reviewGroup(place, { name: group.group, tasks, state, tree, evidence: unproven })
    : green;
  if (decision.passed) for (const { id } of tasks) board.set(id, { status: "ACCEPTED" });
  else if (evidence) reopen(place, state, culprits(tasks, evidence));
  else fold(place, state, merged, tasks);
  await desk.book.save({});
  return { decision, tree };
}

type Unproven = {
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly state: State;
  readonly tree: Tree;
  readonly evidence: Evidence;
};

/** Where no command of the project speaks for the work, nothing is accepted without the Reviewer. */
async function reviewGroup(place: Place, { name, tasks, state, tree, evidence }: Unproven): Promise<Decision> {
  const what = { mode: "group-review", tasks };
  const { report, told } = await reviewWork(place, { name, what, before: state.base, after: tree, evidence });
  await place.desk.book.save({}, ...told);
  return place.desk.gate(`review of group ${name}`, [ACCEPTED], { report, tree: tree.tree });
}

/** They go on where they stopped; the others stay as they are. */
function reopen({ board }: Place, state: State, guilty: readonly Task[]): void {
  for (const { id } of guilty) {
    state.valid.delete(id);
    board.set(id, { status: "REJECTED", note: "the group's build, tests or review speak against it" });
  }
  state.open = guilty;
}

/** Work that fits becomes the ground for work that does not, or the two would clash again. */
function fold({ board }: Place, state: State, merged: Integrated, tasks: readonly Task[]): void {
  const late = tasks.filter(({ id }) => merged.conflicts.some((each) => each.id === id));
  state.base = merged.tree;
  state.valid.clear();
  state.drafts.clear();
  for (const { id } of late) board.set(id, { status: "REJECTED", note: "conflicts with another task of its group" });
  state.open = late;
}

/** The tasks whose files the failure names, by their paths, then by their names; all of them when it names none. */
export function culprits(tasks: readonly Task[], evidence: Pick<Evidence, "checks" | "tamper">): readonly Task[] {
  const red = evidence.checks.filter(isRed).map(({ snippet }) => snippet);
  const said = [...red, ...evidence.tamper.flatMap(({ files, message }) => [...(files ?? []), message])].join("\n");
  const named = (name: (path: string) => string) =>
    tasks.filter((task) => filesOf(task).some((path) => mentions(said, name(path))));
  const byPath = named((path) => path);
  if (byPath.length > 0) return byPath;
  const byName = named((path) => path.slice(path.lastIndexOf("/") + 1));
  return byName.length > 0 ? byName : tasks;
}

/** As a whole word: `a.ts` is not in `data.ts`. */
function mentions(said: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(^|[^\\w.-])${escaped}($|[^\\w-])`, "m").test(said);
}
