import type { Verbs } from "../../core/verbs.ts";
import { approved } from "./approval.ts";
import { DOCUMENTS, FOCUSES } from "./artifacts.ts";
import type { Feature, Order } from "./feature.ts";
import { fullyParallel } from "./patterns.ts";
import { researcher } from "./roles.ts";

/** Step 1: four studies at once, joined by one more researcher, and a person's yes. */
export async function research(verbs: Verbs<unknown>, feature: Feature): Promise<void> {
  await feature.begin("1 Research");
  const { there, error } = await fullyParallel(feature, FOCUSES.map(study));
  if (error) return feature.halt(`research failed: ${error}`);
  const reads = FOCUSES.filter((focus) => there.includes(nameOf(focus))).map(DOCUMENTS.study);
  await approved(verbs, feature, {
    title: "Research is joined. Go on to the specification?",
    step: "1",
    work: async (wish) => {
      const more = { mode: "synthesis", ...(wish && { note: wish }) };
      const order: Order = { role: researcher, step: "1", reads, outputs: [DOCUMENTS.analysis], more };
      const { message, text } = await feature.must(order);
      await feature.prune();
      return { summary: { said: message, analysis: text }, result: undefined };
    },
  });
}

const nameOf = (focus: string): string => `researcher-${focus}`;

const study = (focus: string): Order => ({
  role: researcher,
  as: nameOf(focus),
  step: "1",
  reads: [],
  outputs: [DOCUMENTS.study(focus)],
  more: { mode: "focused", focus },
});
