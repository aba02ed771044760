import { z } from "zod";
import type { Announcement } from "../../core/authoring/announcement.ts";
import type { End } from "../../core/authoring/end.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import type { TicketContext } from "./context.ts";
import { TicketId } from "./contracts.ts";
import { DOCS_CACHE } from "./files/documents.ts";
import { announceIn } from "./preparing/announcing.ts";
import { gitGate, type TicketBase } from "./preparing/git-gate.ts";
import { openTasks, plan, split } from "./preparing/planning.ts";
import { ticketsIn } from "./preparing/request.ts";
import { startUp } from "./preparing/startup.ts";
import { isTrivial } from "./preparing/tasks-file.ts";
import { developer, initializer, interpreter, planner, RETRY, reviewer, splitter } from "./roles.ts";
import { ATTEMPTS } from "./working/attempts.ts";
import { commitTicket, refreshBeforeCommit } from "./working/closing.ts";
import { executeGroups, executeTrivial } from "./working/execution.ts";
import { acceptTrivial, type Reviewing, reviewIteration } from "./working/review.ts";

/** @rule T-50 (declaration) The fifth rejection ends the run without a commit, exit 5. */
const ITERATIONS = 5;

const Input = z
  .strictObject({
    request: z.string().regex(/\S/, { error: "expected a request in words" }),
    ticket: TicketId.optional(),
    /** What a person says that it is, whatever the words of the request are taken for. */
    kind: z.enum(["fix", "feature", "chore"]).optional(),
    /** The three documents for planners: kept up to date where the repository has them; `write` where it has none, too. */
    documents: z.enum(["keep", "write"]).optional(),
  })
  // Before anything is set up for a run that could not begin.
  .refine(({ request, ticket }) => ticket !== undefined || ticketsIn(request).length > 0, {
    path: ["ticket"],
    error: 'expected one in the request ("ABC-123: what is wanted") or with --input ticket=ABC-123',
  });

/** @rule T-56 (code) A rejected iteration is not undone: the next goes on with its tree. */
export const ticket = definePipeline(
  {
    name: "ticket",
    does: "Takes one ticket through plan, tasks, group builds and review, up to five times, to a commit on its branch",
    version: 2,
    input: Input,
    dialect: "status",
    // Batches of `max_parallel_tasks` hold the real limit, which is the machine's.
    cap: 64,
    retry: RETRY,
    loops: { iterations: ITERATIONS, "attempts of a task": ATTEMPTS },
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
    const context = await startUp(verbs);
    const { ticketFiles, head, resumed } = context;
    const first = ticketFiles.progress().iteration_number;
    if (first >= ITERATIONS) return exhausted(context);
    let ground: TicketBase = { tree: head, base: head };
    let report = resumed?.report;
    let before = resumed?.before;
    const announced: Announcement[] = [];

    const result = await loop({ max: ITERATIONS - first }, async ({ round }) => {
      const known = round === 1 ? resumed : undefined;
      let { tree } = ground;

      phase("Planning");
      const iteration = first + round - 1;
      const planned = known?.planned ?? (await plan(context, { iteration, tree, report, plan: before }));
      before = planned.plan;
      phase("Splitting");
      const board = known?.tasks
        ? await openTasks(context, { tasks: known.tasks, accepted: known.accepted })
        : await split(context, planned);
      announced.push(...(await announceIn(context, board.tasks, announced)));
      phase("Git gate");
      if (round === 1) ground = await gitGate(context, planned.tree ?? tree);
      tree = ground.tree;

      phase("Task execution");
      await ticketFiles.at("O5");
      const place = { context, board, base: ground.base };
      const [only] = board.tasks.tasks;
      if (only && isTrivial(board.tasks)) {
        ground = { ...ground, tree: await executeTrivial(place, { task: only, tree }) };
        context.leave(ground.tree);
        const trivial = await acceptTrivial(place, ground.tree);
        if (trivial) {
          skip("Review", "one small task: build and tests decide");
          return accept(context, trivial);
        }
      } else ground = { ...ground, tree: await executeGroups(place, tree) };

      phase("Review");
      context.leave(ground.tree);
      const reviewed = await reviewIteration(place, ground.tree);
      report = reviewed.report;
      return accept(context, reviewed);
    });
    if (result.ended !== "passed") return exhausted(context);

    phase("Docs refresh");
    const accepted = { ground, tree: ground.tree, reviewed: result };
    const final = await refreshBeforeCommit(context, accepted);
    phase("Commit");
    return commitTicket(context, { ...accepted, final, iterations: first + result.rounds });
  },
);

/** Every iteration ends in the books with the word that the review gave it. */
async function accept({ ticketFiles }: TicketContext, reviewed: Reviewing): Promise<Reviewing> {
  await ticketFiles.closeIteration(reviewed.decision.passed ? "ACCEPTED" : "REJECTED");
  return reviewed;
}

async function exhausted({ ticketFiles, jira, left }: TicketContext): Promise<End> {
  const reason = `MAXIMUM ITERATIONS REACHED (${ITERATIONS}/${ITERATIONS}). STOPPING.`;
  await ticketFiles.save({ status: "REJECTED" }, { event: "stopped", level: "ERROR", message: reason });
  const report = { ticket: jira, branch: ticketFiles.progress().branch, ...left("the last review rejected it") };
  return { status: "error", limit: true, reason, report };
}
