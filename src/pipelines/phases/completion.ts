import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { Acted } from "./acting.ts";
import { WHOLE } from "./acting-rules.ts";
import type { Context } from "./context.ts";
import type { Phase, Plan } from "./contracts.ts";
import { asFinding } from "./findings.ts";
import { tierOf } from "./plan-rules.ts";
import { codeReviewer, executorOf } from "./roles.ts";

type Completed = { readonly tree: Tree; readonly decision: Decision };

/** Cross-phase consistency, and where the policy asks for it one review of everything together. */
export async function complete(
  verbs: Verbs<unknown>,
  context: Context,
  acted: Acted & { base: Tree },
): Promise<Completed> {
  const { phase, skip, loop, ask, write, end } = verbs;
  const { plan, base } = acted;
  const { enabled_by_default, auto_trigger_tiers, max_fix_cycles } = context.policy.final_review_gate;
  const reviews = enabled_by_default || auto_trigger_tiers.includes(tierOf(plan));
  let tree = acted.tree;
  const result = await loop({ max: 1 + max_fix_cycles }, async ({ round, findings }) => {
    if (round > 1) {
      phase("ACTING");
      tree = await fixByOwners(verbs, { plan, tree, findings });
    }
    if (reviews) phase("REVIEWING");
    const issues = reviews ? await finalReview(verbs, context, { plan, base, tree }) : [];
    return { decision: await completionGate(verbs, context, { plan, base, tree, issues }) };
  });
  if (!reviews) skip("REVIEWING", "the policy asks for no final review at this tier");
  if (reviews) await write(`plans/artifacts/${context.task}/final_review.md`, advisory(result.decision.findings));
  if (result.ended === "passed") return { tree, decision: result.decision };

  phase("WAITING_APPROVAL");
  const title = "The completion gate still blocks. Accept the work as it is?";
  const question = { title, show: result.decision.findings, choices: ["accept", "abort"], auto: "never" } as const;
  const answer = await ask({ ...question, accepts: "accept", about: tree });
  if (answer.choice === "abort") return end({ status: "error", reason: "the completion gate was not passed" });
  return { tree, decision: answer.decision };
}

type Whole = { readonly plan: Plan; readonly base: Tree; readonly tree: Tree };

async function completionGate(
  verbs: Verbs<unknown>,
  { trace, task }: Context,
  whole: Whole & { issues: readonly Finding[] },
) {
  const { see, check, gate } = verbs;
  const { plan, base, tree, issues } = whole;
  const changed = (await see("changes", { from: base, to: tree })).map((change) => change.path);
  const evidence = await check(tree, { baseline: base, task });
  const reviewed = {
    id: "P-66",
    because: "the final review has no confirmed issue",
    judge: (about: { issues: readonly Finding[] }) => ({ passed: about.issues.length === 0, findings: about.issues }),
  };
  return gate("COMPLETION_GATE", [WHOLE, reviewed], {
    plan,
    changed,
    evidence,
    issues,
    tree: tree.tree,
    trace_id: trace,
  });
}

async function finalReview({ see, agent }: Verbs<unknown>, { trace }: Context, { plan, base, tree }: Whole) {
  const changed = await see("changes", { from: base, to: tree });
  const verdict = await agent(
    codeReviewer,
    {
      review_scope: "final",
      phase_id: 0,
      changed_files: changed.map((change) => change.path),
      plan_phases_snapshot: plan.phases.map(({ phase_id, files }) => ({
        phase_id,
        files: files.map((file) => file.path),
      })),
      trace_id: trace,
    },
    { in: tree },
  );
  return verdict.validated_blocking_issues.map(asFinding);
}

/** The phase with the highest id that owns the file fixes it; the reviewer never does. */
async function fixByOwners(verbs: Verbs<unknown>, work: { plan: Plan; tree: Tree; findings: readonly Finding[] }) {
  let { tree } = work;
  for (const [at, finding] of work.findings.entries()) {
    const owner = ownerOf(work.plan, finding.files?.[0] ?? "");
    const role = executorOf(owner?.executor_agent);
    if (!owner || !role) continue;
    const writes = owner.files.map((file) => file.path);
    const options = { in: tree, writes, task: `phase-${owner.phase_id}` };
    const input = { phase_id: owner.phase_id, fix: finding };
    const fixed = await verbs.within(`fix-${at + 1}`, () => verbs.agent(role, input, options));
    tree = fixed.after;
  }
  return tree;
}

export function ownerOf(plan: Pick<Plan, "phases">, file: string): Phase | undefined {
  const owners = plan.phases.filter((phase) => phase.files.some((each) => each.path === file));
  return owners.sort((a, b) => b.phase_id - a.phase_id)[0];
}

function advisory(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => `- ${finding.severity}: ${finding.message}`);
  return `# Final review\n\n${lines.join("\n") || "- nothing to add"}\n`;
}
