import type { Verbs } from "../../core/verbs.ts";
import { yamlOf } from "./artifacts.ts";
import { review } from "./review.ts";
import { designer } from "./roles.ts";
import type { Setup } from "./setup.ts";

const REVISIONS = 1;

/** Steps 3 and 3b: design, review by three, one revision. A design that is still refused ends the run. */
export async function design(verbs: Verbs<unknown>, setup: Setup, known: { spec: unknown; research: unknown }) {
  const { phase, agent, loop, write, end } = verbs;
  const { slug, folder, baseline } = setup;
  const result = await loop({ max: 1 + REVISIONS }, async ({ round, findings }) => {
    phase("3 Design");
    const draft = await agent(designer, { ...known, ...(round > 1 && { findings }) });
    await write(`${folder}/design-output.yaml`, yamlOf(draft));

    phase("3b Design review");
    const subject = { design: draft };
    const { decision, reviews } = await review(verbs, {
      scope: "design",
      slug,
      folder,
      round,
      tree: baseline.tree,
      subject,
    });
    return { draft, verdicts: reviews, decision };
  });
  if (result.ended !== "passed") {
    return end({ status: "error", reason: `the design was refused ${result.rounds} times` });
  }
  return { draft: result.draft, verdicts: result.verdicts, decision: result.decision };
}
