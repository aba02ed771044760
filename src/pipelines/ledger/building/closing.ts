import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Depth } from "../../depth.ts";
import { appendDecisions, toYaml } from "../artifacts.ts";
import type { LedgerContext } from "../context.ts";
import { mergeDuplicates } from "../handover/duplicates.ts";
import type { Setup } from "../planning/setup.ts";
import { knowledge } from "../roles.ts";
import { type Confidence, computeConfidence, explainConfidence, sortBySeverity } from "../rules.ts";

type RunOutcome = {
  readonly depth: Depth;
  readonly exhausted: boolean;
  /** Gate decisions on the design. They count for the confidence, but their findings were handled in the plan. */
  readonly designed: readonly Decision[];
  /** Last decision of each gate on the work. Their findings are known issues. */
  readonly decisions: readonly Decision[];
  /** Reviewers' findings that nobody fixed. */
  readonly open: readonly Finding[];
  readonly tree: Tree;
  readonly changed: readonly string[];
};

/**
 * Runs steps 8 and 8b: the knowledge agent, then the confidence, which the engine computes from the gates.
 * @rule L-20 (code) The knowledge step is retried once and never blocks the run.
 */
export async function runKnowledgeStep(context: LedgerContext<{ request: string }>, setup: Setup, outcome: RunOutcome) {
  const { input, run, begin, write } = context;
  const { folder } = setup;
  const all = { ...outcome, decisions: [...outcome.designed, ...outcome.decisions] };
  const confidence = computeConfidence(all);
  const found = [...outcome.decisions.flatMap((each) => each.findings), ...outcome.open];
  const issues = sortBySeverity(mergeDuplicates(found));
  await begin("8 Knowledge");
  const learned =
    outcome.depth === "short" ? undefined : await dispatchKnowledge(context, setup, { ...outcome, confidence, issues });
  const own = { id: run, title: input.request, rationale: formatRationale(confidence, issues) };
  const entries = [own, ...(learned?.decision_log_entries ?? [])];
  await write(`${folder}/decisions.yaml`, appendDecisions(setup.decided, entries));
  return { confidence, issues, because: explainConfidence(all, issues) };
}

type KnowledgeOrder = RunOutcome & { readonly confidence: Confidence; readonly issues: readonly Finding[] };

async function dispatchKnowledge(
  context: LedgerContext<{ request: string }>,
  { folder }: Setup,
  looked: KnowledgeOrder,
) {
  const { input, attempt, write, heard, troubles } = context;
  const { confidence, changed, issues, tree } = looked;
  const done = { request: input.request, documents: folder, ...heard(), confidence, changed };
  const learned = await attempt(knowledge, { ...done, went_wrong: troubles(), findings: issues }, { in: tree });
  if (learned.ok) await write(`${folder}/knowledge-output.yaml`, toYaml(learned.value));
  return learned.ok ? learned.value : undefined;
}

function formatRationale(confidence: Confidence, issues: readonly Finding[]): string {
  return `confidence ${confidence}, ${issues.length} known issues`;
}
