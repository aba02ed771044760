import type { Announcement } from "../../../core/authoring/announcement.ts";
import type { TicketContext } from "../context.ts";
import { announceIn } from "../preparing/announcing.ts";
import { gitGate, type TicketBase } from "../preparing/git-gate.ts";
import { openTasks, plan, split } from "../preparing/planning.ts";
import { isTrivial } from "../preparing/tasks-file.ts";
import { executeGroups, executeTrivial } from "./execution.ts";
import { acceptTrivial, type Reviewing, reviewIteration } from "./review.ts";

/** What one iteration leaves to the next. */
export type IterationState = {
  /** The iteration that this run began with; a resumed ticket has others behind it. */
  readonly first: number;
  done: number;
  ground: TicketBase;
  report: string | undefined;
  /** What reviewers held against the work when they last looked. */
  readonly objections: Map<string, readonly string[]>;
  /** The plan that the report speaks of. */
  before: string | undefined;
  readonly announced: Announcement[];
  /** What the tasks of all iterations were: the work of each stays for the next. */
  readonly tasks: string[];
};

/** Steps O1 to O6: planned, split, built and reviewed, from where the one before has left the tree. */
export async function iterate(context: TicketContext, state: IterationState): Promise<Reviewing> {
  const { phase, skip, ticketFiles, resumed } = context;
  const isFirst = state.done === state.first;
  const known = isFirst ? resumed : undefined;
  let { tree } = state.ground;

  phase("Planning");
  const { done: iteration, report, before } = state;
  const planned = known?.planned ?? (await plan(context, { iteration, tree, report, plan: before }));
  state.before = planned.plan;
  phase("Splitting");
  const board = known?.tasks
    ? await openTasks(context, { tasks: known.tasks, accepted: known.accepted })
    : await split(context, planned);
  state.announced.push(...(await announceIn(context, board.tasks, state.announced)));
  phase("Git gate");
  if (isFirst) state.ground = await gitGate(context, planned.tree ?? tree);
  tree = state.ground.tree;
  state.done += 1;

  phase("Task execution");
  await ticketFiles.at("O5");
  const { objections } = state;
  const earlier = [...state.tasks];
  const place = { context, board, plan: planned.plan, base: state.ground.base, objections, earlier };
  const [only] = board.tasks.tasks;
  if (only && isTrivial(board.tasks)) {
    state.ground = { ...state.ground, tree: await executeTrivial(place, { task: only, tree }) };
    context.leave(state.ground.tree);
    // What somebody has rejected, somebody looks at again, however small the next plan is.
    const trivial = report === undefined ? await acceptTrivial(place, state.ground.tree) : undefined;
    if (trivial) {
      skip("Review", "one small task: build and tests decide");
      return accept(context, state, trivial);
    }
  } else state.ground = { ...state.ground, tree: await executeGroups(place, tree) };

  phase("Review");
  context.leave(state.ground.tree);
  const reviewed = await reviewIteration(place, state.ground.tree);
  state.report = reviewed.report;
  return accept(context, state, reviewed);
}

/** Every iteration ends in the books with the word that the review gave it. */
async function accept(
  { ticketFiles }: TicketContext,
  { tasks }: IterationState,
  reviewed: Reviewing,
): Promise<Reviewing> {
  await ticketFiles.closeIteration(reviewed.decision.passed ? "ACCEPTED" : "REJECTED");
  tasks.push(...reviewed.done.filter((task) => !tasks.includes(task)));
  return { ...reviewed, done: [...tasks] };
}
