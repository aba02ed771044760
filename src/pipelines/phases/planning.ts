import type { Finding } from "../../core/finding.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { Context } from "./context.ts";
import type { Plan } from "./contracts.ts";
import { PLAN, tierOf } from "./plan-rules.ts";
import { codeMapper, planner, researcher } from "./roles.ts";

const VERSIONS = 3;
const APPROVALS = 5;

type Input = { readonly request: string };

/** Research gate: what is in scope and what is not is known before anybody plans. */
export async function explore({ input, together, attempt, note }: Verbs<Input>, { trace }: Context) {
  const { map, found } = await together({
    map: () => attempt(codeMapper, { scope_description: input.request, trace_id: trace }),
    found: () => attempt(researcher, { research_query: input.request, trace_id: trace }),
  });
  const scope = found.ok ? { in: found.value.scope_in, out: found.value.scope_out } : { in: [input.request], out: [] };
  await note({ scope });
  return { scope, map: map.ok ? map.value : null, findings: found.ok ? found.value.key_findings : [] };
}

type Wish = {
  readonly research: unknown;
  readonly findings?: readonly Finding[];
  readonly note?: string;
  readonly revises?: Plan;
};

/** A plan that satisfies every rule of the plan gate; an invalid one goes back with what is wrong. */
export async function validPlan(verbs: Verbs<Input>, { trace, task }: Context, wish: Wish): Promise<Plan> {
  const { input, phase, agent, ask, loop, gate, write, end } = verbs;
  const { research, note, revises } = wish;
  const result = await loop({ max: VERSIONS }, async ({ findings }) => {
    phase("PLANNING");
    const all = [...(wish.findings ?? []), ...findings];
    const revision = revises && { revision_of: planPath(task), plan: revises };
    const plan = await agent(planner, {
      task_description: input.request,
      research,
      note,
      findings: all,
      trace_id: trace,
      ...revision,
    });
    if (plan.status !== "READY_FOR_EXECUTION") await unplanned(verbs, plan);
    return { plan, decision: await gate("PLAN_GATE", PLAN, { plan, trace_id: trace }) };

    async function unplanned({ end }: Verbs<Input>, { status, abstain }: Plan): Promise<void> {
      phase("WAITING_APPROVAL");
      const title = `The planner answers ${status}. Plan again?`;
      const answer = await ask({
        title,
        show: abstain?.reasons ?? [],
        choices: ["plan again", "abort"],
        auto: "never",
      });
      if (answer.choice === "abort") return end({ status: "error", reason: `no plan: ${status}` });
      phase("PLANNING");
    }
  });
  if (result.ended !== "passed") {
    const wrong = result.decision.findings.map((finding) => finding.message).join("; ");
    return end({ status: "error", reason: `no valid plan after ${result.rounds} versions: ${wrong}` });
  }
  await write(planPath(task), planText(result.plan));
  return result.plan;
}

/** The plan gate with its pause: nothing is built before a person has said yes. */
export async function approvedPlan(verbs: Verbs<Input>, context: Context): Promise<Plan> {
  const { phase, loop, ask, end } = verbs;
  phase("PLANNING");
  const research = await explore(verbs, context);
  let note = "";
  const { plan, ended } = await loop({ max: APPROVALS }, async () => {
    const plan = await validPlan(verbs, context, { research, note });
    phase("WAITING_APPROVAL");
    const choices = ["approve", "revise", "abort"] as const;
    const answer = await ask({ title: "Approve the plan?", show: plan, choices, auto: "approve", accepts: "approve" });
    if (answer.choice === "abort") return end({ status: "error", reason: "the plan was refused" });
    note = answer.note ?? "";
    return { plan, decision: answer.decision };
  });
  return ended === "passed" ? plan : end({ status: "error", reason: `no plan was approved in ${APPROVALS} versions` });
}

export const planPath = (task: string): string => `plans/${task}-plan.md`;

function planText(plan: Plan): string {
  const phases = plan.phases.map((phase) => {
    const files = phase.files.map((file) => `- ${file.action} ${file.path}`).join("\n");
    const steps = phase.steps.map((step, at) => `${at + 1}. ${step}`).join("\n");
    return `## Phase ${phase.phase_id} — ${phase.title}\n\nWave ${phase.wave}, ${phase.executor_agent ?? ""}\n\n${phase.objective}\n\n${files}\n\n${steps}`;
  });
  return [`# ${plan.task_title}`, plan.summary, `Tier: ${tierOf(plan)}`, ...phases, ""].join("\n\n");
}
