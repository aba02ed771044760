import type { Decision } from "../../../core/authoring/decision.ts";
import type { Depth } from "../../depth.ts";
import { toYaml } from "../artifacts.ts";
import type { LedgerContext } from "../context.ts";
import { MAJORITY, PERSPECTIVES } from "../contracts.ts";
import { formatMarkdown } from "../documents/markdown.ts";
import { shortenAnswer } from "../handover/short-answer.ts";
import { designer } from "../roles.ts";
import type { ReviewerVerdict } from "../rules.ts";
import { type ReviewRound, runReviewers } from "./design-review.ts";
import type { Setup } from "./setup.ts";

const REVISIONS = 1;

type DesignInput = {
  readonly request: string;
  readonly spec: unknown;
  readonly research: unknown;
  readonly depth: Depth;
};
type DesignResult = {
  readonly draft: unknown;
  readonly verdicts: readonly ReviewerVerdict[];
  /** Gate decisions; empty if nobody reviewed the design. */
  readonly decisions: readonly Decision[];
};

/** Runs steps 3 and 3b: design, three reviewers, one revision. A second refusal ends the run. */
export async function runDesign(context: LedgerContext, setup: Setup, known: DesignInput): Promise<DesignResult> {
  const { begin, loop, fail, skip, round: atRound } = context;
  const { request, spec } = known;
  if (known.depth === "short") {
    await begin("3 Design");
    const { draft } = await writeDesign(context, setup, { known });
    skip("3b Design review", "left out: the run is short");
    return { draft, verdicts: [], decisions: [] };
  }
  let before: ReviewedDesign | undefined;
  const result = await loop({ max: 1 + REVISIONS }, async ({ round }) => {
    atRound("design", round);
    await begin("3 Design");
    const { draft, summary } = await writeDesign(context, setup, { known, before });

    await begin("3b Design review");
    const subject = { request, spec, design: draft };
    const done = `the design was revised: ${summary}`;
    const earlier = before && { reviews: before.reviews, done };
    const about = { scope: "design", round, tree: setup.baseline.tree, subject, ...(earlier && { earlier }) } as const;
    const reviewed = await runReviewers(context, setup, about);
    before = { ...reviewed, design: draft };
    return { draft, verdicts: reviewed.reviews, decision: reviewed.decision };
  });
  if (result.ended !== "passed") return fail(`the design was refused ${result.rounds} times`);
  return { draft: result.draft, verdicts: result.verdicts, decisions: [result.decision] };
}

/** Description of the design review for the designer, by depth. */
const REVIEW: Readonly<Record<Depth, string>> = {
  full: `${PERSPECTIVES.length} reviewers; one security objection, or fewer than ${MAJORITY} full approvals, force the one revision; a blocker, or a second refusal, ends the run`,
  short: "nobody: the run is short, and what you write is built",
};

type ReviewedDesign = ReviewRound & { readonly design: unknown };

async function writeDesign(
  { agent, heard, toRead, write }: LedgerContext,
  { folder }: Setup,
  { known, before }: { readonly known: DesignInput; readonly before?: ReviewedDesign | undefined },
) {
  const { spec, research } = known;
  const again = before ? { design: before.design, findings: before.defects } : {};
  const asked = { spec, research, ...toRead(folder, "research"), ...heard(), review: REVIEW[known.depth] };
  const answer = await agent(designer, { ...asked, ...again });
  await write(`${folder}/design-output.yaml`, toYaml(answer));
  await write(`${folder}/design.md`, formatMarkdown("Design", answer));
  return { draft: shortenAnswer(answer), summary: answer.summary ?? "see it" };
}
