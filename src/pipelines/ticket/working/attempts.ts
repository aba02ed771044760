import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { TicketContext } from "../context.ts";
import type { Task } from "../contracts.ts";
import type { TaskBoard } from "../files/board.ts";

/**
 * Attempts of a task before a person is asked.
 * @rule T-19 (policy) Only failed tasks re-run, with at most 5 attempts each; then the run is PAUSED.
 */
export const ATTEMPTS = 5;

/** The ticket's context, the iteration's tasks and plan, and the tree that the work is compared with. */
export type IterationContext = {
  readonly context: TicketContext;
  readonly board: TaskBoard;
  readonly plan: string;
  readonly base: Tree;
  /** Previous review findings, by task, group or iteration. */
  readonly objections: Map<string, readonly string[]>;
  /** Descriptions of earlier iterations' tasks, whose work is in the tree. */
  readonly earlier: readonly string[];
};
export type AttemptJudgement = { readonly decision: Decision; readonly tree: Tree };

type AttemptTasks = { readonly name: string; readonly tasks: readonly Task[]; readonly group: string };

/**
 * Repeats rounds until every task is accepted. A task without attempts left pauses the run; a resume grants new ones.
 */
export async function repeatUntilAccepted(
  { context, board }: IterationContext,
  { name, tasks, group }: AttemptTasks,
  body: (findings: readonly Finding[]) => Promise<AttemptJudgement>,
): Promise<Tree> {
  const { ticketFiles, within, loop, pause } = context;
  const ids = tasks.map(({ id }) => id);
  let told: readonly Finding[] = [];
  for (let budget = 1; ; budget += 1) {
    const rounds = { max: ATTEMPTS * ids.length, stop: () => findExhausted(board, ids)?.why };
    const result = await within(
      `budget-${budget}`,
      () => loop(rounds, ({ round, findings }) => body(round === 1 ? told : findings)),
      { repeats: true },
    );
    if (result.ended === "passed") return result.tree;
    told = result.decision.findings;
    const { id, why } = findExhausted(board, ids) ?? { id: name, why: `${name}: no attempts are left` };
    await ticketFiles.save(
      { status: "PAUSED" },
      { event: "task.max_attempts", level: "ERROR", message: why, task: id, group },
    );
    await pause(why, told);
    board.renew(ids);
    await ticketFiles.save({ status: "PENDING" }, { event: "resume", task: id, group });
  }
}

/**
 * @rule T-48 (policy) A failed task is retried up to five attempts; then the run is PAUSED, logs
 *   `orchestrator.task.max_attempts` and exits with 3. A resume grants five more.
 */
const FAILED: ReadonlySet<string> = new Set(["REJECTED", "SYNTAX_ERROR", "ERROR"]);

/** Returns the failed tasks without attempts left. All are named, because the failure may not identify one. */
function findExhausted(
  board: TaskBoard,
  ids: readonly string[],
): { readonly id: string; readonly why: string } | undefined {
  const used = ids.filter((each) => FAILED.has(board.status(each)) && board.attempt(each) >= ATTEMPTS);
  const [id] = used;
  return id === undefined ? undefined : { id, why: `${used.join(", ")}: ${ATTEMPTS} attempts are used up` };
}
