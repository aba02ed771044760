import type { Decision } from "../../../core/authoring/decision.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import { DOCUMENTS, getFeatureFolder } from "../artifacts.ts";
import type { FeatureContext } from "../context.ts";
import { COMPLETE, classifyFailures, WORKED } from "../rules.ts";
import { listRegressions } from "./evidence-findings.ts";
import { isSerious } from "./findings.ts";
import type { ReviewResult } from "./review.ts";
import type { VerificationResult } from "./verification.ts";

type Completion = { readonly decision: Decision; readonly evidence: Evidence };

/**
 * Ends the run: the review must pass and no check may fail. Findings that verification left open are reported in any
 * case.
 */
export async function completeFeature(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  reviewed: ReviewResult,
): Promise<Completion> {
  const { check, gate, see } = verbs;
  const { decision, verified } = reviewed;
  const { tree } = context;
  const evidence = await check(tree, { baseline: context.base, task: "complete" });
  const touched = await see("changes", { from: context.base, to: tree });
  const changed = touched.map(({ path }) => path).filter((path) => !path.startsWith(context.at("")));
  const about = { reviewed: decision.passed, red: classifyFailures(evidence), changed, tree: tree.tree };
  const done = await gate("complete", [COMPLETE, WORKED], about);
  const open = listOpenFindings(verified);
  if (open.length > 0) await context.tell({ open });
  if (done.passed) return { decision: done, evidence };
  const idle = WORKED.judge(about).findings ?? [];
  const against = [
    ...(decision.passed ? [] : decision.findings.filter(isSerious)),
    ...listRegressions(evidence),
    ...idle,
  ];
  const issues = removeContainedMessages([...open, ...against.map(({ message }) => message)]);
  return context.halt(`unresolved: ${issues.join("; ") || "see verifier.md and review.md"}`);
}

/** Lists the findings that verification left open and the tasks that never started. */
export function listOpenFindings({ decision, work }: VerificationResult): readonly string[] {
  if (decision.passed) return [];
  const waiting = work.built.waiting.flat().map(({ id }) => `${id} was never started`);
  return removeContainedMessages([...decision.findings.filter(isSerious).map(({ message }) => message), ...waiting]);
}

/** Removes duplicates and messages that are contained in another one. */
const removeContainedMessages = (messages: readonly string[]): readonly string[] => {
  const once = [...new Set(messages)];
  return once.filter((message) => !once.some((other) => other !== message && other.includes(message)));
};

/** Lists the files that people have to act on: the proposals and the decision log. */
export async function listFilesForPeople(
  { see }: Pick<Verbs<unknown>, "see">,
  context: FeatureContext,
): Promise<readonly string[]> {
  const there = await see("files", { under: getFeatureFolder(context.slug), in: context.tree });
  return [DOCUMENTS.suggestions, DOCUMENTS.decisions].map(context.at).filter((path) => there.includes(path));
}
