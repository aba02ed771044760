import { z } from "zod";
import type { End } from "../../core/authoring/end.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { REQUEST_KINDS } from "../work-kind.ts";
import { getTicketFolder } from "./artifacts.ts";
import type { TicketContext } from "./context.ts";
import { TicketId } from "./contracts.ts";
import { DOCS_CACHE } from "./files/documents.ts";
import { findTickets } from "./preparing/request.ts";
import { startUp } from "./preparing/startup.ts";
import { developer, initializer, interpreter, planner, RETRY, reviewer, splitter } from "./roles.ts";
import { ATTEMPTS } from "./working/attempts.ts";
import { commitTicket, refreshBeforeCommit } from "./working/closing.ts";
import { type IterationState, runIteration } from "./working/iteration.ts";
import { rejectIteration } from "./working/review.ts";

/**
 * @rule T-50 (declaration) The fifth rejection prints `MAXIMUM ITERATIONS REACHED (5/5). STOPPING.` and ends the run
 *   with exit 5 and without a commit.
 */
const ITERATIONS = 5;

const Input = z
  .strictObject({
    request: z.string().regex(/\S/, { error: "expected a request" }),
    ticket: TicketId.optional().meta({ unless: "the request names one" }),
    /** Kind of work stated by a person; it overrides the type read from the request. */
    kind: z.enum(REQUEST_KINDS).optional(),
    /** The three planning documents. They are kept up to date if the repository has them; `write` also creates them. */
    documents: z.enum(["keep", "write"]).optional(),
  })
  // Refused before any setup, because the run could not start.
  .refine(({ request, ticket }) => ticket !== undefined || findTickets(request).length > 0, {
    path: ["ticket"],
    error: 'expected one in the request ("ABC-123: what is wanted") or with --input ticket=ABC-123',
  });

/** @rule T-56 (code) The next iteration continues on the tree of a rejected one. */
export const ticket = definePipeline(
  {
    name: "ticket",
    does: "Plan, build and review one ticket in up to five iterations, and commit it on its branch",
    version: 7,
    input: Input,
    dialect: "status",
    // Batches of `max_parallel_tasks` apply the real limit, which is the machine's.
    cap: 64,
    retry: RETRY,
    loops: { iterations: ITERATIONS, "attempts of a task": ATTEMPTS },
    excludes: ({ request, ticket: named }) => [
      ...(named === undefined ? findTickets(request) : [named]).map((id) => `/${getTicketFolder(id)}/`),
      `/${DOCS_CACHE}`,
    ],
    phases: [
      { title: "Startup", roles: [interpreter] },
      { title: "Planning", roles: [planner, initializer] },
      { title: "Splitting", roles: [splitter] },
      { title: "Git gate", roles: [] },
      { title: "Task execution", roles: [developer, reviewer], next: ["Review", "Docs refresh"] },
      { title: "Review", roles: [reviewer], next: ["Planning", "Docs refresh"] },
      { title: "Docs refresh", roles: [initializer] },
      { title: "Commit", roles: [], next: ["Planning"] },
    ],
  },
  async (verbs) => {
    const { phase, loop } = verbs;

    phase("Startup");
    const context = await startUp(verbs);
    const { ticketFiles, head, resumed } = context;
    const first = ticketFiles.progress().iteration_number;
    if (first >= ITERATIONS) return endExhausted(context);
    const state: IterationState = {
      first,
      done: first,
      ground: { tree: head, base: head },
      report: resumed?.report,
      before: resumed?.before,
      objections: new Map(),
      announced: [],
      tasks: [],
    };

    for (;;) {
      const reviewed = await loop({ max: ITERATIONS - state.done }, () => runIteration(context, state));
      if (reviewed.ended !== "passed") return endExhausted(context);

      phase("Docs refresh");
      const accepted = { ground: state.ground, tree: state.ground.tree, reviewed };
      const final = await refreshBeforeCommit(context, accepted);
      phase("Commit");
      const revisable = state.done < ITERATIONS;
      const made = await commitTicket(context, { ...accepted, final, iterations: state.done, revisable });
      if (!("sentBack" in made)) return made;
      state.report = await rejectIteration(context, reviewed, made.sentBack);
    }
  },
);

async function endExhausted({ ticketFiles, jira, left }: TicketContext): Promise<End> {
  const reason = `MAXIMUM ITERATIONS REACHED (${ITERATIONS}/${ITERATIONS}). STOPPING.`;
  await ticketFiles.save({ status: "REJECTED" }, { event: "stopped", level: "ERROR", message: reason });
  const report = { ticket: jira, branch: ticketFiles.progress().branch, ...left("the last review rejected it") };
  return { status: "error", limit: true, reason, report };
}
