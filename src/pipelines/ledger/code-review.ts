import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Evidence, Verbs } from "../../core/verbs.ts";
import { review } from "./review.ts";
import { implementer } from "./roles.ts";
import { INTEGRATED } from "./rules.ts";
import type { Setup } from "./setup.ts";

const ROUNDS = 2;

type State = { readonly tree: Tree; readonly whole: Evidence; readonly decision: Decision };

/** Step 7: review; then fix, verify again and review again. What is still open becomes known issues. */
export async function codeReview(verbs: Verbs<unknown>, setup: Setup, verified: State) {
  const { phase, see, loop } = verbs;
  const { slug, folder, baseline } = setup;
  let state = verified;
  const result = await loop({ max: ROUNDS }, async ({ round, findings }) => {
    if (round > 1) {
      phase("5 Implement");
      state = await fix(verbs, setup, { state, findings });
      // A fix that breaks a check is not worth a reviewer's time: it has spent its round.
      if (!state.decision.passed) return { decision: state.decision };
    }
    phase("7 Code review");
    const diff = await see("changes", { from: baseline, to: state.tree });
    const subject = { diff, evidence: state.whole };
    return review(verbs, { scope: "code", slug, folder, round, tree: state.tree.tree, subject });
  });
  return { ...state, integrated: state.decision, decision: result.decision, exhausted: result.ended !== "passed" };
}

async function fix(
  verbs: Verbs<unknown>,
  { slug, baseline }: Setup,
  from: { state: State; findings: readonly Finding[] },
) {
  const { phase, agent, check, gate } = verbs;
  const task = `${slug}-review-fix`;
  const work = await agent(implementer, { task: { id: task }, findings: from.findings }, { in: from.state.tree, task });
  phase("6 Verify");
  const whole = await check(work.after, { baseline, task });
  const decision = await gate("integrated", [INTEGRATED], { tree: work.after.tree, whole, findings: [] });
  return { tree: work.after, whole, decision };
}
