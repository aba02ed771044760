import type { Decision } from "../../core/decision.ts";
import type { Verbs } from "../../core/verbs.ts";
import { yamlOf } from "./artifacts.ts";
import { PERSPECTIVES } from "./contracts.ts";
import { reviewer } from "./roles.ts";
import { REVIEW } from "./rules.ts";

export type Reviewed = {
  readonly scope: "design" | "code";
  readonly slug: string;
  readonly folder: string;
  readonly round: number;
  readonly tree: string;
  readonly subject: unknown;
};

/** Three perspectives, three categories each, judged by the gates alone. A blocker ends the run here. */
export async function review(verbs: Verbs<unknown>, { scope, slug, folder, round, tree, subject }: Reviewed) {
  const { agent, parallel, gate, write, end } = verbs;
  const task = `${slug}-${scope}-review`;
  const reviews = await parallel(PERSPECTIVES, async (perspective) => {
    const input = { scope, review_perspective: perspective, round, tree, subject };
    const { by, verdicts, findings } = await agent(reviewer, input, { as: perspective, task, in: { tree } });
    await write(`${folder}/review-verdicts/${scope}-${perspective}.yaml`, yamlOf({ by, verdicts, findings }));
    return { by, verdicts, findings };
  });
  const heard = reviews.filter((each) => each !== undefined);
  const decision: Decision = await gate(`${scope} review`, REVIEW, { task, scope, round, tree, reviews: heard });
  if (decision.blocked) {
    const blockers = decision.findings.map((finding) => finding.message).join("; ");
    return end({ status: "error", reason: `${scope} review blocked in round ${round}: ${blockers}` });
  }
  return { decision, reviews: heard };
}
