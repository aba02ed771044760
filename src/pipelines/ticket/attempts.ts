import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Board } from "./board.ts";
import type { Task } from "./contracts.ts";
import type { Desk } from "./desk.ts";

/** As often as one task may be tried before a person is needed. */
export const ATTEMPTS = 5;

/** The desk, the iteration's tasks, and the tree that the ticket's work is compared with. */
export type Place = { readonly desk: Desk; readonly board: Board; readonly base: Tree };
export type Judged = { readonly decision: Decision; readonly tree: Tree };

type Work = { readonly name: string; readonly tasks: readonly Task[]; readonly group: string };

/** Rounds until everything is accepted. A task whose attempts are used pauses the run; who resumes it gives new ones. */
export async function untilAccepted(
  { desk, board }: Place,
  { name, tasks, group }: Work,
  body: (findings: readonly Finding[]) => Promise<Judged>,
): Promise<Tree> {
  const { book, within, loop, pause } = desk;
  const ids = tasks.map(({ id }) => id);
  let told: readonly Finding[] = [];
  for (let budget = 1; ; budget += 1) {
    const rounds = { max: ATTEMPTS * ids.length, stop: () => usedUp(board, ids)?.why };
    const result = await within(`budget-${budget}`, () =>
      loop(rounds, ({ round, findings }) => body(round === 1 ? told : findings)),
    );
    if (result.ended === "passed") return result.tree;
    told = result.decision.findings;
    const { id, why } = usedUp(board, ids) ?? { id: name, why: `${name}: no attempt is left` };
    await book.save(
      { status: "PAUSED" },
      { event: "task.max_attempts", level: "ERROR", message: why, task: id, group },
    );
    await pause(why, told);
    board.renew(ids);
    await book.save({ status: "PENDING" }, { event: "resume", task: id, group });
  }
}

const FAILED: ReadonlySet<string> = new Set(["REJECTED", "SYNTAX_ERROR", "ERROR"]);

/** The first task that failed and has no attempt left. */
function usedUp(board: Board, ids: readonly string[]): { readonly id: string; readonly why: string } | undefined {
  const id = ids.find((each) => FAILED.has(board.status(each)) && board.attempt(each) >= ATTEMPTS);
  return id === undefined ? undefined : { id, why: `${id}: ${ATTEMPTS} attempts are used` };
}
