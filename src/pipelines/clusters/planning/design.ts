import type { Finding } from "../../../core/authoring/finding.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { DOCUMENTS } from "../artifacts.ts";
import { isSerious } from "../building/findings.ts";
import type { DocumentOrder, FeatureContext } from "../context.ts";
import { joinReports } from "../join.ts";
import { runFullyParallel } from "../patterns.ts";
import { CRITICS, ctAggregator, designer } from "../roles.ts";
import { applyCritiqueTable, CT, selectFixable } from "../rules.ts";

/**
 * @rule C-10 (policy) The four critics run in parallel, and ct-aggregator joins their reports if one of them found
 *   anything. A serious finding returns the design to the designer once, and the whole cluster runs again; findings
 *   that remain become planning constraints.
 */
export const REVISIONS = 1;

/**
 * Runs steps 3 and 3b: a design, four critics, one revision. Returns the open findings as constraints for the planner.
 */
export async function runDesign(verbs: Verbs<unknown>, context: FeatureContext): Promise<readonly Finding[]> {
  if (context.depth === "short") {
    await context.begin("3 Design");
    await context.must(createDesignOrder());
    verbs.skip("3b Design review", "left out: the run is short");
    return [];
  }
  const result = await verbs.loop({ max: 1 + REVISIONS }, async ({ round, findings }) => {
    await context.begin("3 Design");
    if (round === 1) await context.must(createDesignOrder());
    else {
      await context.doubt(["3", "3b"], "the design is revised");
      await context.must(createDesignOrder(selectFixable(findings)));
      await context.settle();
    }
    await context.begin("3b Design review");
    return { decision: await runCritics(verbs, context) };
  });
  if (result.ended === "passed") return [];
  await context.warn("the critics have open findings after the revision; they become constraints of the plan");
  return selectFixable(result.decision.findings).filter(isSerious);
}

const createDesignOrder = (findings?: readonly Finding[]): DocumentOrder => ({
  role: designer,
  step: "3",
  reads: [DOCUMENTS.analysis, DOCUMENTS.feature, ...(findings ? [DOCUMENTS.criticisms] : [])],
  outputs: [DOCUMENTS.design],
  ...(findings && { more: { findings } }),
});

async function runCritics({ gate, write }: Verbs<unknown>, context: FeatureContext) {
  const reads = [DOCUMENTS.design, DOCUMENTS.feature];
  const cluster = await runFullyParallel(
    context,
    CRITICS.map((role) => ({ role, step: "3b", reads, outputs: [DOCUMENTS.criticism(role.name)] })),
  );
  if (cluster.error) return context.halt(`the design review failed: ${cluster.error}`);
  const { members } = cluster;
  const order: DocumentOrder = {
    role: ctAggregator,
    step: "3b",
    reads: [...cluster.there.map(DOCUMENTS.criticism), DOCUMENTS.design],
    outputs: [DOCUMENTS.criticisms],
  };
  const { aggregate, findings, sent } = await joinReports(write, context, {
    order,
    members,
    table: applyCritiqueTable(members),
  });
  if (!sent.after) return context.halt(`${sent.name} failed in step 3b: ${sent.message}`);
  return gate("CT", [CT], { aggregate, findings });
}
