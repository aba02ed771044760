import { z } from "zod";
import type { Announcement } from "../../core/announcement.ts";
import type { End } from "../../core/end.ts";
import { definePipeline } from "../../core/pipeline.ts";
import { announceIn } from "./announcing.ts";
import { commitTicket, refreshBeforeCommit } from "./closing.ts";
import { TicketId } from "./contracts.ts";
import type { Desk } from "./desk.ts";
import { DOCS_CACHE } from "./documents.ts";
import { executeGroups, executeTrivial } from "./execution.ts";
import { type Ground, gitGate } from "./git-gate.ts";
import { openTasks, plan, split } from "./planning.ts";
import { acceptTrivial, type Reviewing, reviewIteration } from "./review.ts";
import { developer, initializer, interpreter, planner, RETRY, reviewer, splitter } from "./roles.ts";
import { startUp } from "./startup.ts";
import { isTrivial } from "./tasks-file.ts";

export const ITERATIONS = 5;

const Input = z.strictObject({
  request: z.string().regex(/\S/, { error: "expected a request in words" }),
  ticket: TicketId.optional(),
  /** What a person says that it is, whatever the words of the request are taken for. */
  kind: z.enum(["fix", "feature", "chore"]).optional(),
});

export const ticket = definePipeline(
  {
    name: "ticket",
    about: "Takes one ticket through plan, tasks, group builds and review, up to five times, to a commit on its branch",
    version: 1,
    input: Input,
    dialect: "status",
    // Batches of `max_parallel_tasks` hold the real limit, which is the machine's.
    cap: 64,
    retry: RETRY,
    excludes: ["/prompts/", `/${DOCS_CACHE}`],
    phases: [
      { title: "Startup", roles: [interpreter] },
      { title: "Planning", roles: [planner, initializer] },
      { title: "Splitting", roles: [splitter] },
      { title: "Git gate", roles: [] },
      { title: "Task execution", roles: [developer, reviewer], next: ["Review", "Docs refresh"] },
      { title: "Review", roles: [reviewer], next: ["Planning", "Docs refresh"] },
      { title: "Docs refresh", roles: [initializer] },
      { title: "Commit", roles: [] },
    ],
  },
  async (verbs) => {
    const { phase, skip, loop } = verbs;

    phase("Startup");
    const desk = await startUp(verbs);
    const { book, head, resumed } = desk;
    const first = book.progress().iteration_number;
    if (first >= ITERATIONS) return exhausted(desk);
    let ground: Ground = { tree: head, base: head };
    let report = resumed?.report;
    const announced: Announcement[] = [];

    const result = await loop({ max: ITERATIONS - first }, async ({ round }) => {
      const known = round === 1 ? resumed : undefined;
      let { tree } = ground;

      phase("Planning");
      const planned = known?.planned ?? (await plan(desk, { iteration: first + round - 1, tree, report }));
      phase("Splitting");
      const board = known?.tasks
        ? await openTasks(desk, { tasks: known.tasks, accepted: known.accepted })
        : await split(desk, planned);
      announced.push(...(await announceIn(desk, board.tasks, announced)));
      phase("Git gate");
      if (round === 1) ground = await gitGate(desk, planned.tree ?? tree);
      tree = ground.tree;

      phase("Task execution");
      await book.at("O5");
      const place = { desk, board, base: ground.base };
      const [only] = board.tasks.tasks;
      if (only && isTrivial(board.tasks)) {
        ground = { ...ground, tree: await executeTrivial(place, { task: only, tree }) };
        const trivial = await acceptTrivial(place, ground.tree);
        if (trivial) {
          skip("Review", "one small task: build and tests decide");
          return accept(desk, trivial);
        }
      } else ground = { ...ground, tree: await executeGroups(place, tree) };

      phase("Review");
      const reviewed = await reviewIteration(place, ground.tree);
      report = reviewed.report;
      return accept(desk, reviewed);
    });
    if (result.ended !== "passed") return exhausted(desk);

    phase("Docs refresh");
    const accepted = { ground, tree: ground.tree, reviewed: result };
    const final = await refreshBeforeCommit(desk, accepted);
    phase("Commit");
    return commitTicket(desk, { ...accepted, final, iterations: first + result.rounds });
  },
);

/** Every iteration ends in the books with the word that the review gave it. */
async function accept({ book }: Desk, reviewed: Reviewing): Promise<Reviewing> {
  await book.closeIteration(reviewed.decision.passed ? "ACCEPTED" : "REJECTED");
  return reviewed;
}

async function exhausted({ book, jira }: Desk): Promise<End> {
  const reason = `MAXIMUM ITERATIONS REACHED (${ITERATIONS}/${ITERATIONS}). STOPPING.`;
  await book.save({ status: "REJECTED" }, { event: "stopped", level: "ERROR", message: reason });
  return { status: "error", limit: true, reason, report: { ticket: jira, branch: book.progress().branch } };
}
