import type { Finding } from "../../core/finding.ts";
import type { Verbs } from "../../core/verbs.ts";
import { DOCUMENTS } from "./artifacts.ts";
import type { Feature, Order } from "./feature.ts";
import { isSerious } from "./findings.ts";
import { fullyParallel, join } from "./patterns.ts";
import { CRITICS, ctAggregator, designer } from "./roles.ts";
import { CT, criticismOf } from "./rules.ts";

export const REVISIONS = 1;

/** Steps 3 and 3b: a design, four critics, one revision; what is left becomes constraints for the planner. */
export async function design(verbs: Verbs<unknown>, feature: Feature): Promise<readonly Finding[]> {
  const result = await verbs.loop({ max: 1 + REVISIONS }, async ({ round, findings }) => {
    await feature.begin("3 Design");
    if (round === 1) await feature.must(draft());
    else {
      await feature.doubt(["3", "3b"], "the design is revised");
      await feature.must(draft(findings));
      await feature.settle();
    }
    await feature.begin("3b Design review");
    return { decision: await criticize(verbs, feature) };
  });
  if (result.ended === "passed") return [];
  await feature.warn("the critics still object after the revision: their findings constrain the plan");
  return result.decision.findings.filter(isSerious);
}

const draft = (findings?: readonly Finding[]): Order => ({
  role: designer,
  step: "3",
  reads: [DOCUMENTS.analysis, DOCUMENTS.feature, ...(findings ? [DOCUMENTS.criticisms] : [])],
  outputs: [DOCUMENTS.design],
  ...(findings && { more: { findings } }),
});

async function criticize({ gate, write }: Verbs<unknown>, feature: Feature) {
  const reads = [DOCUMENTS.design, DOCUMENTS.feature];
  const cluster = await fullyParallel(
    feature,
    CRITICS.map((role) => ({ role, step: "3b", reads, outputs: [DOCUMENTS.criticism(role.name)] })),
  );
  if (cluster.error) return feature.halt(`the design review failed: ${cluster.error}`);
  const { members } = cluster;
  const order: Order = {
    role: ctAggregator,
    step: "3b",
    reads: [...cluster.there.map(DOCUMENTS.criticism), DOCUMENTS.design],
    outputs: [DOCUMENTS.criticisms],
  };
  const { aggregate, findings, sent } = await join(write, feature, { order, members, table: criticismOf(members) });
  if (!sent.after) return feature.halt(`${sent.name} failed in step 3b: ${sent.message}`);
  return gate("CT", [CT], { aggregate, findings });
}
