import { yamlOf } from "./artifacts.ts";
import type { Desk } from "./desk.ts";
import { markdownOf } from "./markdown.ts";
import { review } from "./review.ts";
import { designer } from "./roles.ts";
import type { Setup } from "./setup.ts";

const REVISIONS = 1;

/** Steps 3 and 3b: design, review by three, one revision. A design that is still refused ends the run. */
export async function design(desk: Desk, setup: Setup, known: { spec: unknown; research: unknown }) {
  const { begin, agent, loop, write, fail, round: atRound } = desk;
  const { folder, baseline } = setup;
  const result = await loop({ max: 1 + REVISIONS }, async ({ round, findings }) => {
    atRound("design", round);
    await begin("3 Design");
    const draft = await agent(designer, { ...known, ...(round > 1 && { findings }) });
    await write(`${folder}/design-output.yaml`, yamlOf(draft));
    await write(`${folder}/design.md`, markdownOf("Design", draft));

    await begin("3b Design review");
    const about = { scope: "design", round, tree: baseline.tree, subject: { design: draft } } as const;
    const { decision, reviews } = await review(desk, setup, about);
    return { draft, verdicts: reviews, decision };
  });
  if (result.ended !== "passed") return fail(`the design was refused ${result.rounds} times`);
  return { draft: result.draft, verdicts: result.verdicts, decision: result.decision };
}
