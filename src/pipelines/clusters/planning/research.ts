import type { Verbs } from "../../../core/authoring/verbs.ts";
import { DOCUMENTS, FOCUSES, type Focus } from "../artifacts.ts";
import type { DocumentOrder, FeatureContext } from "../context.ts";
import { runFullyParallel } from "../patterns.ts";
import { researcher } from "../roles.ts";
import { runUntilApproved } from "./approval.ts";

/** Runs step 1: four studies in parallel, a synthesis, and an approval. */
export async function runResearch(verbs: Verbs<unknown>, context: FeatureContext): Promise<void> {
  await context.begin("1 Research");
  const reads = context.depth === "short" ? [] : await runStudies(context);
  const mode = context.depth === "short" ? "whole" : "synthesis";
  await runUntilApproved(verbs, context, {
    title: "Research is joined. Go on to the specification?",
    step: "1",
    work: async (wish) => {
      const more = { mode, ...(wish && { note: wish }) };
      const order: DocumentOrder = { role: researcher, step: "1", reads, outputs: [DOCUMENTS.analysis], more };
      const { message, text } = await context.must(order);
      await context.prune();
      return { summary: { said: message, analysis: text }, documents: [DOCUMENTS.analysis], result: undefined };
    },
  });
}

async function runStudies(context: FeatureContext): Promise<readonly string[]> {
  const { there, error } = await runFullyParallel(context, FOCUSES.map(createStudyOrder));
  if (error) return context.halt(`research failed: ${error}`);
  return FOCUSES.filter((focus) => there.includes(getResearcherName(focus))).map(DOCUMENTS.study);
}

const ASKS: Readonly<Record<Focus, string>> = {
  architecture: "which parts exist, what each knows of the others, where the request would go",
  impact: "what the request would change, who calls it, what could break, which tests speak of it",
  dependencies: "libraries, versions, services, build and test commands that the work relies on",
  patterns: "how this code names, tests, logs and reports errors; what an addition should look like",
};

const getResearcherName = (focus: string): string => `researcher-${focus}`;

const createStudyOrder = (focus: Focus): DocumentOrder => ({
  role: researcher,
  as: getResearcherName(focus),
  step: "1",
  reads: [],
  outputs: [DOCUMENTS.study(focus)],
  more: { mode: "focused", focus, asks: ASKS[focus] },
});
