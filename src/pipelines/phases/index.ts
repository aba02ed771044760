import { z } from "zod";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { never } from "../../core/authoring/retry.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { toFeatureSlug } from "../slug.ts";
import { REQUEST_KINDS } from "../work-kind.ts";
import { CHECKLIST } from "./acting/acting-rules.ts";
import { runWaves } from "./acting/waves.ts";
import { readPlan } from "./artifacts.ts";
import { closeRun } from "./closing/closing.ts";
import { recordDocuments } from "./documents.ts";
import { openEvents } from "./events.ts";
import type { Plan } from "./planning/plan.ts";
import { reviewPlan } from "./planning/plan-review.ts";
import { getPhaseKind } from "./planning/plan-rules.ts";
import { getApprovedPlan } from "./planning/planning.ts";
import { recordPlanScope, runResearch } from "./planning/research.ts";
import { OUTCOMES_FILE, POLICY_FILE, Policy } from "./policy.ts";
import { loadProjectForm } from "./project-form.ts";
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
import { type PhasesContext, withIteration } from "./run-context.ts";

const Input = z.strictObject({
  request: z.string().regex(/\S/, { error: "expected a request in words" }),
  /** A plan from a file; judged, approved and reviewed like any other. */
  plan_path: z.string().min(1).optional(),
  /** Requests a final review of the whole work at any tier. */
  final_review: z.boolean().optional(),
  /** Kind of work set by a person; overrides what agents declare. */
  kind: z.enum(REQUEST_KINDS).optional(),
});
type Input = z.infer<typeof Input>;

/** Gates in order: research, design and planning, plan review, implementation by waves, completion. */
export const phases = definePipeline(
  {
    name: "phases",
    does: "Plans in phases and waves, reviews the plan adversarially before building, and asks for approval at every gate",
    version: 8,
    input: Input,
    cap: 10,
    looksAt: ({ plan_path }) => (plan_path === undefined ? [] : [plan_path]),
    retry: never(),
    documents: ["plans/**", `!${OUTCOMES_FILE}`],
    policy: { file: POLICY_FILE, schema: Policy },
    needs: {
      commands: [
        {
          name: "build",
          because: "code is complete only after it passed; without it, a person is asked",
          unless: "build_gate.accept_not_available",
        },
      ],
    },
    /**
     * @rule P-01 (declaration) The run starts in PLANNING and makes only the declared transitions.
     * @rule P-49 (declaration) The state determines which agents may be dispatched.
     */
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
        // Read-only agents can be executors too; the planner is listed for a local replan.
        roles: [...EXECUTORS, codeMapper, researcher, codeReviewer, planner],
        next: ["REVIEWING", "PLANNING", "WAITING_APPROVAL"],
      },
      { title: "REVIEWING", roles: [codeReviewer], next: ["ACTING", "WAITING_APPROVAL"] },
      { title: "COMPLETE", roles: [], next: [] },
    ],
  },
  async (runVerbs) => {
    const { verbs, documents } = recordDocuments(runVerbs);
    const { input, phase, see } = verbs;

    phase("PLANNING");
    const base = await see("head");
    const context = { ...(await openPhasesContext(verbs, base)), documents };
    const { request, plan_path: file } = input;
    const plan = file === undefined ? undefined : await loadGivenPlan(verbs, file);
    const research = plan ? await recordPlanScope(verbs, plan) : await runResearch(verbs, context, request);
    const approved = await getApprovedPlan(verbs, context, { request, research, given: plan, file });

    const reviewed = await reviewPlan(verbs, context, { request, research, approved });

    const { review } = reviewed;
    const unbuiltBy = await settleBuildByPlan(verbs, context, reviewed.plan);
    const acting = withIteration({ ...context, unbuiltBy }, review.iterations, review.max);
    const progress = await runWaves(verbs, acting, { ...reviewed, tree: base });
    const stated = { request, kind: input.kind, approved: reviewed.approved === true };
    return closeRun(verbs, acting, { progress, base, stated });
  },
);

async function openPhasesContext(verbs: Verbs<Input>, base: Tree): Promise<Omit<PhasesContext, "documents">> {
  const { input, see } = verbs;
  const form = await loadProjectForm(verbs, base);
  const policy = Policy.parse(await see("policy"));
  return {
    trace: await see("uuid"),
    policy,
    unbuiltBy: await settleMissingBuild(verbs, policy),
    task: toFeatureSlug(input.request),
    request: input.request,
    // No plan yet, so no tier: the highest limit of any tier.
    iteration: { iteration_index: 0, max_iterations: Math.max(...Object.values(policy.max_iterations_by_tier)) },
    form,
    events: openEvents(form.events),
    finalReview: input.final_review ?? false,
  };
}

/** Settles a missing build command before any dispatch, by the policy or by a person. */
async function settleMissingBuild(verbs: Verbs<Input>, { build_gate }: Policy): Promise<string | undefined> {
  const { commands } = await verbs.see("startup");
  const names = Object.keys(commands);
  if (build_gate.accept_not_available) return "the policy";
  return names.length === 0 || names.includes("build") ? undefined : askAboutBuild(verbs, commands);
}

/** If no command is configured, only the plan shows whether there is something to build. */
async function settleBuildByPlan(
  verbs: Verbs<Input>,
  { unbuiltBy }: Pick<PhasesContext, "unbuiltBy">,
  { phases }: Plan,
): Promise<string | undefined> {
  const { commands } = await verbs.see("startup");
  const builds = phases.some((each) => CHECKLIST[getPhaseKind(each)].includes("build"));
  if (Object.keys(commands).length > 0 || !builds || unbuiltBy !== undefined) return unbuiltBy;
  return askAboutBuild(verbs, commands);
}

const BUILD_LEADS = {
  "go on": "code counts as complete without a build",
  "look again": "the configuration is read again",
  stop: "the run ends; nothing was built",
};

/** Returns who accepts the missing build command, or undefined if one exists by now. */
async function askAboutBuild(
  verbs: Verbs<Input>,
  checks: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const { ask, see, end } = verbs;
  const title = "This project has no build command. Is code complete without one?";
  const show = { checks, instead: "Configure a command called build, or build_gate.accept_not_available." };
  const { choice, by } = await ask({
    title,
    show,
    choices: ["go on", "look again", "stop"],
    auto: "never",
    leads: BUILD_LEADS,
  });
  if (choice === "stop") return end({ status: "error", reason: "there is no build command; nothing was built" });
  if (choice === "go on") return by;
  const { commands } = await see("startup");
  return Object.hasOwn(commands, "build") ? undefined : askAboutBuild(verbs, commands);
}

/** Reads a plan from a file, or ends the run before any dispatch. */
async function loadGivenPlan({ see, end }: Verbs<Input>, path: string): Promise<Plan> {
  const read = readPlan(path, (await see("file", { path }))?.text);
  return "plan" in read ? read.plan : end({ status: "error", reason: read.problems.join("; ") });
}
