import type { Announcement } from "../../../core/authoring/announcement.ts";
import type { TicketContext } from "../context.ts";
import { announceIn } from "../preparing/announcing.ts";
import { runGitGate, type TicketBase } from "../preparing/git-gate.ts";
import { openTasks, plan, split } from "../preparing/planning.ts";
import { isTrivial } from "../preparing/tasks-file.ts";
import { executeGroups, executeTrivial } from "./execution.ts";
import { acceptTrivial, type ReviewedIteration, reviewIteration } from "./review.ts";

/** State that one iteration passes to the next. */
export type IterationState = {
  /** Iteration that this run started with; a resumed ticket has earlier ones. */
  readonly first: number;
  done: number;
  ground: TicketBase;
  report: string | undefined;
  /** Previous review findings. */
  readonly objections: Map<string, readonly string[]>;
  /** Plan that the report refers to. */
  before: string | undefined;
  readonly announced: Announcement[];
  /** Descriptions of the tasks of all iterations; their work stays in the tree. */
  readonly tasks: string[];
};

/** Runs steps O1 to O6 on the tree of the previous iteration. */
export async function runIteration(context: TicketContext, state: IterationState): Promise<ReviewedIteration> {
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
  if (isFirst) state.ground = await runGitGate(context, planned.tree ?? tree);
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
    // Rejected work is always reviewed again, however small the next plan is.
    const trivial = report === undefined ? await acceptTrivial(place, state.ground.tree) : undefined;
    if (trivial) {
      skip("Review", "one small task: build and tests decide");
      return recordResult(context, state, trivial);
    }
  } else state.ground = { ...state.ground, tree: await executeGroups(place, tree) };

  phase("Review");
  context.leave(state.ground.tree);
  const reviewed = await reviewIteration(place, state.ground.tree);
  state.report = reviewed.report;
  return recordResult(context, state, reviewed);
}

/** Records the review's result for the iteration. */
async function recordResult(
  { ticketFiles }: TicketContext,
  { tasks }: IterationState,
  reviewed: ReviewedIteration,
): Promise<ReviewedIteration> {
  await ticketFiles.closeIteration(reviewed.decision.passed ? "ACCEPTED" : "REJECTED");
  tasks.push(...reviewed.done.filter((task) => !tasks.includes(task)));
  return { ...reviewed, done: [...tasks] };
}
