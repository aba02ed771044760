import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { formatEvidence } from "../../evidence-line.ts";
import { toYaml } from "../artifacts.ts";
import type { LedgerContext } from "../context.ts";
import { LOOKS_FOR, PERSPECTIVES, type Perspective } from "../contracts.ts";
import { formatReviewFindings } from "../documents/markdown.ts";
import { mergeDuplicates } from "../handover/duplicates.ts";
import { reviewer } from "../roles.ts";
import { listObjections, REVIEW, type ReviewerVerdict } from "../rules.ts";
import type { Setup } from "./setup.ts";

type ReviewSubject = {
  readonly request: string;
  readonly spec: unknown;
  readonly design?: unknown;
  readonly diff?: string;
  readonly evidence?: unknown;
  readonly reports?: unknown;
};

type ReviewOrder = {
  readonly scope: "design" | "code";
  /** Distinguishes the rows of several reviews; by default there is one per scope. */
  readonly name?: string;
  readonly round: number;
  readonly tree: string;
  readonly subject: ReviewSubject;
  /** Check results of that tree; a design has none. */
  readonly evidence?: Evidence;
  /** The reviewers' previous findings, and what was done about them. */
  readonly earlier?: { readonly reviews: readonly ReviewerVerdict[]; readonly done: unknown };
};

export type ReviewRound = {
  readonly decision: Decision;
  readonly reviews: readonly ReviewerVerdict[];
  /** Findings on the work, without duplicates. Findings about the reviewers themselves are not included. */
  readonly defects: readonly Finding[];
};

const NOTHING_BUILT = "none: nothing was built yet";

/** Dispatches one reviewer per perspective and evaluates the gates on their rows. A blocker ends the run. */
export async function runReviewers(
  context: LedgerContext,
  { slug, folder }: Setup,
  order: ReviewOrder,
): Promise<ReviewRound> {
  const { scope, round, tree } = order;
  const evidence = order.evidence ? formatEvidence(order.evidence) : NOTHING_BUILT;
  const { attempt, parallel, gate, write, written, fail } = context;
  const task = `${slug}-${order.name ?? `${scope}-review`}`;
  const asked = {
    review_scope: scope,
    round,
    task_id: task,
    tree,
    ...order.subject,
    ...selectDocuments(context, folder, scope),
  };
  const reviews = await parallel(PERSPECTIVES, async (perspective) => {
    const lens = { review_perspective: perspective, looks_for: LOOKS_FOR[perspective] };
    const input = { ...asked, ...lens, ...context.heard(), ...getEarlierFindings(order, perspective) };
    const answer = await attempt(reviewer, input, { as: perspective, task, in: { tree } });
    // The gate knows every perspective and counts a missing one.
    if (!answer.ok) return undefined;
    const { by, verdicts, findings } = answer.value;
    await write(`${folder}/review-verdicts/${scope}-${perspective}.yaml`, toYaml({ by, round, verdicts, evidence }));
    const document = `${folder}/review-findings/${scope}-${perspective}.md`;
    const before = round > 1 || order.name !== undefined ? written(document) : undefined;
    await write(
      document,
      [...(before ? [before] : []), formatReviewFindings({ by, scope, round, findings })].join("\n"),
    );
    return { by, verdicts, findings };
  });
  const heard = reviews.filter((each) => each !== undefined);
  const decision = await gate(`${scope} review`, REVIEW, { task, scope, round, tree, reviews: heard });
  if (decision.blocked) {
    const why = decision.findings.map((finding) => finding.message).join("; ");
    return fail(`${scope} review blocked in round ${round}: ${why}`);
  }
  return { decision, reviews: heard, defects: mergeDuplicates(heard.flatMap(listObjections)) };
}

/** Lists the documents behind a review: research for a design; design, plan and verification for a change. */
const selectDocuments = ({ toRead }: LedgerContext, folder: string, scope: ReviewOrder["scope"]) =>
  scope === "design"
    ? toRead(folder, "research")
    : toRead(folder, "design-output.yaml", "plan-output.yaml", "verification-reports");

function getEarlierFindings({ earlier }: ReviewOrder, perspective: Perspective) {
  const own = earlier?.reviews.find(({ by }) => by === perspective);
  return earlier && own ? { earlier: { findings: listObjections(own), done: earlier.done } } : {};
}
