import { z } from "zod";
import { definePipeline } from "../../core/pipeline.ts";
import { never } from "../../core/retry.ts";
import { slugOf } from "../slug.ts";
import { act } from "./acting.ts";
import { commitMessage, outcomeEntry } from "./closing.ts";
import { complete } from "./completion.ts";
import { openEvents } from "./events.ts";
import { planReview } from "./plan-review.ts";
import { approvedPlan } from "./planning.ts";
import { POLICY_FILE, readPolicy } from "./policy.ts";
import {
  assumptionVerifier,
  codeMapper,
  codeReviewer,
  EXECUTORS,
  executabilityVerifier,
  planAuditor,
  planner,
  researcher,
} from "./roles.ts";

const OUTCOMES = "plans/session-outcomes.md";

export const phases = definePipeline(
  {
    name: "phases",
    about: "Plans in phases and waves, has the plan attacked before it is built, and asks a person at every gate",
    version: 1,
    input: z.strictObject({ request: z.string().min(1) }),
    dialect: "json",
    cap: 10,
    retry: never(),
    phases: [
      { title: "PLANNING", roles: [codeMapper, researcher, planner], next: ["WAITING_APPROVAL", "PLAN_REVIEW"] },
      { title: "WAITING_APPROVAL", roles: [], next: ["PLAN_REVIEW", "ACTING", "PLANNING", "COMPLETE"] },
      {
        title: "PLAN_REVIEW",
        roles: [planAuditor, assumptionVerifier, executabilityVerifier, planner],
        next: ["ACTING", "PLANNING", "WAITING_APPROVAL"],
      },
      {
        title: "ACTING",
        roles: [...EXECUTORS, codeMapper, researcher, codeReviewer, planner],
        next: ["REVIEWING", "PLANNING", "WAITING_APPROVAL"],
      },
      { title: "REVIEWING", roles: [codeReviewer], next: ["ACTING", "WAITING_APPROVAL"] },
      { title: "COMPLETE", roles: [], next: [] },
    ],
  },
  async (verbs) => {
    const { input, phase, see, ask, write, commit } = verbs;

    phase("PLANNING");
    const file = await see("file", { path: POLICY_FILE });
    const read = readPolicy(file?.text);
    if ("errors" in read) return { status: "error", reason: `${POLICY_FILE}: ${read.errors.join("; ")}` };
    const context = {
      trace: await see("uuid"),
      policy: read.policy,
      task: slugOf(input.request),
      iteration: { iteration_index: 0, max_iterations: 5 },
      events: openEvents(),
    };
    const base = await see("head");

    const approved = await approvedPlan(verbs, context);
    const reviewed = await planReview(verbs, context, approved);
    const acted = await act(verbs, context, { plan: reviewed, tree: base });
    const { tree, decision } = await complete(verbs, context, { ...acted, base });

    const { plan, done } = acted;
    const before = await see("file", { path: OUTCOMES, in: tree });
    const entry = outcomeEntry({ plan, completed: done.length, date: await see("now") });
    await write(OUTCOMES, `${before?.text ?? "# Session outcomes\n"}\n${entry}`);
    await write(`plans/${context.task}-complete.md`, `# ${plan.task_title}\n\n${plan.summary}\n`);

    phase("WAITING_APPROVAL");
    const message = commitMessage(plan);
    const show = {
      summary: plan.summary,
      message,
      phases: done.map((each) => each.phase.title),
      findings: decision.findings,
    };
    const choices = ["commit", "leave"] as const;
    const question = { title: "All phases are complete. Commit?", show, choices, auto: "commit" } as const;
    const answer = await ask({ ...question, accepts: "commit", about: tree });
    phase("COMPLETE");
    if (answer.choice === "leave") return { status: "done", reason: "complete, not committed" };
    const { commit: id } = await commit(tree, { message, because: [decision, answer.decision] });
    return { status: "done", report: { commit: id, phases: done.length } };
  },
);
