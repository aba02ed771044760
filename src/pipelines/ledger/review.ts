import type { Evidence } from "../../core/verbs.ts";
import { evidenceLine } from "../evidence-line.ts";
import { yamlOf } from "./artifacts.ts";
import { PERSPECTIVES } from "./contracts.ts";
import type { Desk } from "./desk.ts";
import { findingsOf } from "./markdown.ts";
import { reviewer } from "./roles.ts";
import { REVIEW } from "./rules.ts";
import type { Setup } from "./setup.ts";

type Reviewed = {
  readonly scope: "design" | "code";
  readonly round: number;
  readonly tree: string;
  readonly subject: object;
  /** What was seen on that tree; a design is judged before there is anything to see. */
  readonly evidence?: Evidence;
};

const NOTHING_BUILT = "none: nothing was built yet";

/** Three perspectives, three categories each, judged by the gates alone. A blocker ends the run here. */
export async function review(desk: Desk, { slug, folder }: Setup, reviewed: Reviewed) {
  const { scope, round, tree, subject } = reviewed;
  const evidence = reviewed.evidence ? evidenceLine(reviewed.evidence) : NOTHING_BUILT;
  const { attempt, parallel, gate, write, fail } = desk;
  const task = `${slug}-${scope}-review`;
  const reviews = await parallel(PERSPECTIVES, async (perspective) => {
    const input = { review_scope: scope, review_perspective: perspective, round, task_id: task, tree, ...subject };
    const answer = await attempt(reviewer, input, { as: perspective, task, in: { tree } });
    // Whoever is missing is missed by the gate, which knows no one but the three.
    if (!answer.ok) return undefined;
    const { by, verdicts, findings } = answer.value;
    await write(`${folder}/review-verdicts/${scope}-${perspective}.yaml`, yamlOf({ by, round, verdicts, evidence }));
    await write(`${folder}/review-findings/${scope}-${perspective}.md`, findingsOf({ by, scope, round, findings }));
    return { by, verdicts, findings };
  });
  const heard = reviews.filter((each) => each !== undefined);
  const decision = await gate(`${scope} review`, REVIEW, { task, scope, round, tree, reviews: heard });
  if (decision.blocked) {
    const why = decision.findings.map((finding) => finding.message).join("; ");
    return fail(`${scope} review blocked in round ${round}: ${why}`);
  }
  return { decision, reviews: heard };
}
