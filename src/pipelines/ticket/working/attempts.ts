import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { TicketContext } from "../context.ts";
import type { Task } from "../contracts.ts";
import type { TaskBoard } from "../files/board.ts";

/**
 * As often as one task may be tried before a person is needed.
 * @rule T-19 (policy) Only what failed is tried again, five times per task.
 */
export const ATTEMPTS = 5;

/** The desk, the iteration's tasks and the plan behind them, and the tree that the ticket's work is compared with. */
export type IterationContext = {
  readonly context: TicketContext;
  readonly board: TaskBoard;
  readonly plan: string;
  readonly base: Tree;
  /** What a reviewer held against each task, group and iteration when it last looked, by name. */
  readonly objections: Map<string, readonly string[]>;
  /** What the tasks of earlier iterations were: their work is in the tree. */
  readonly earlier: readonly string[];
};
export type AttemptJudgement = { readonly decision: Decision; readonly tree: Tree };

type AttemptTasks = { readonly name: string; readonly tasks: readonly Task[]; readonly group: string };

/** Rounds until everything is accepted. A task whose attempts are used pauses the run; who resumes it gives new ones. */
export async function untilAccepted(
  { context, board }: IterationContext,
  { name, tasks, group }: AttemptTasks,
  body: (findings: readonly Finding[]) => Promise<AttemptJudgement>,
): Promise<Tree> {
  const { ticketFiles, within, loop, pause } = context;
  const ids = tasks.map(({ id }) => id);
  let told: readonly Finding[] = [];
  for (let budget = 1; ; budget += 1) {
    const rounds = { max: ATTEMPTS * ids.length, stop: () => outOfAttempts(board, ids)?.why };
    const result = await within(
      `budget-${budget}`,
      () => loop(rounds, ({ round, findings }) => body(round === 1 ? told : findings)),
      { repeats: true },
    );
    if (result.ended === "passed") return result.tree;
    told = result.decision.findings;
    const { id, why } = outOfAttempts(board, ids) ?? { id: name, why: `${name}: no attempt is left` };
    await ticketFiles.save(
      { status: "PAUSED" },
      { event: "task.max_attempts", level: "ERROR", message: why, task: id, group },
    );
    await pause(why, told);
    board.renew(ids);
    await ticketFiles.save({ status: "PENDING" }, { event: "resume", task: id, group });
  }
}

/** @rule T-48 (policy) A task that failed for the fifth time pauses the run; who resumes it gives five more. */
const FAILED: ReadonlySet<string> = new Set(["REJECTED", "SYNTAX_ERROR", "ERROR"]);

/** Those that failed and have no attempt left: with several nobody can say which of them it is, so all are named. */
function outOfAttempts(
  board: TaskBoard,
  ids: readonly string[],
): { readonly id: string; readonly why: string } | undefined {
  const used = ids.filter((each) => FAILED.has(board.status(each)) && board.attempt(each) >= ATTEMPTS);
  const [id] = used;
  return id === undefined ? undefined : { id, why: `${used.join(", ")}: ${ATTEMPTS} attempts are used` };
}
