import type { Decision } from "../../../core/authoring/decision.ts";
import type { Failure } from "../../../core/failure/failure.ts";
import { getStepAgent, type ItemStep } from "../item/route.ts";
import { getMode, isUntouched, listBlockingFailures, type StepResult } from "../rules.ts";
import { takeFirstLines, toOneLine } from "./short-text.ts";

export const CATEGORIES = [
  "contract_missing",
  "contract_ambiguous",
  "contract_invalid",
  "signature_missing",
  "signature_mismatch",
  "test_failure",
  "review_verdict",
  "drift_detected",
  "implementation_blocked",
  "agent_blocked",
  "interrupted",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Fields written into the item. */
export type BlockFields = {
  readonly blockedReason: string;
  readonly blockedBy: string;
  readonly blockedAt: ItemStep;
  readonly blockedCategory: Category;
};
/** A block with the details reported to a person. */
export type ItemBlock = BlockFields & {
  /** Failing tests, review findings or drift as the agent listed them, and red commands as the engine saw them. */
  readonly issues: readonly string[];
  /** The form of the answer was wrong; the work itself was not judged. */
  readonly unread?: true;
};

/**
 * Creates the block of a dispatch that returned no usable contract.
 * @rule R-15 (policy) A reply without a contract section blocks the item with `contract_missing` and the reason
 *   `missing output contract`.
 */
export function createFailureBlock(step: ItemStep, failure: Failure): ItemBlock {
  const category = FAILURES[failure.code] ?? "agent_blocked";
  const reason = category === "contract_missing" ? "missing output contract" : failure.message;
  const made = createBlock(step, category, { reason, issues: [] });
  return UNREAD.has(category) ? { ...made, unread: true } : made;
}

/** Creates the block of a contract that did not pass its gate. */
export function createDecisionBlock(returned: StepResult, { findings }: Pick<Decision, "findings">): ItemBlock {
  const reason = findings[0]?.message ?? `${returned.step} did not pass`;
  return createBlock(returned.step, getBlockCategory(returned), { reason, issues: listBlockIssues(returned) });
}

/** A block before any dispatch. */
export const createEarlyBlock = (step: ItemStep, reason: string): ItemBlock =>
  createBlock(step, "agent_blocked", { reason, issues: [] });

/** @rule R-34 (policy) A block has one of eleven categories; a faulty contract takes precedence over its content. */
export function getBlockCategory(returned: Pick<StepResult, "step" | "contract" | "work" | "evidence">): Category {
  const { step, contract, evidence } = returned;
  const { status, mode, verdict } = contract;
  if (mode !== getMode(step)) return "contract_invalid";
  if (step === "Testing") return "test_failure";
  if (step === "Review" && verdict !== "ship") return "review_verdict";
  if (step === "Review" && listBlockingFailures(contract).length > 0) return "review_verdict";
  if (step === "Architect (validation)") return "drift_detected";
  if (step === "Implement" && status === "success" && isUntouched(returned)) return "implementation_blocked";
  if (status === "success" && evidence?.checks.some(({ passed }) => !passed)) return "test_failure";
  if (status === "success") return "contract_invalid";
  return step === "Implement" ? "implementation_blocked" : "agent_blocked";
}

/** A silent agent gave no contract; an agent that returned the empty form gave an invalid one. */
const FAILURES: Readonly<Record<string, Category>> = {
  contract_missing: "contract_missing",
  agent_silent: "contract_missing",
  agent_incomplete: "contract_missing",
  contract_ambiguous: "contract_ambiguous",
  contract_invalid: "contract_invalid",
  contract_placeholder: "contract_invalid",
  signature_missing: "signature_missing",
  signature_mismatch: "signature_mismatch",
  interrupted: "interrupted",
};

const UNREAD: ReadonlySet<Category> = new Set<Category>(["contract_missing", "contract_ambiguous", "contract_invalid"]);

/**
 * @rule R-36 (policy) The report of a block names item, agent, category and reason, and includes the failures, the
 *   review findings or the drift.
 */
function listBlockIssues({ step, contract, evidence }: StepResult): string[] {
  const red = (evidence?.checks ?? []).filter(({ passed }) => !passed);
  return [
    ...red.map(({ name, because = name, snippet }) =>
      takeFirstLines([because, extractInformativeLines(snippet)].filter(Boolean).join(": ")),
    ),
    ...(contract.failures ?? []).map(takeFirstLines),
    ...(EVIDENCE_STEPS.has(step) ? contract.evidence : []),
  ];
}

/**
 * Extracts the informative part. The snippet is the end of a long output: it may start inside a line, and a stack trace
 * says little.
 */
function extractInformativeLines(snippet: string): string {
  const lines = snippet.split("\n").filter((line) => !/^\s*at\s/.test(line));
  const start = lines.findIndex((line, at) => (at > 0 || lines.length === 1) && INFORMATIVE.test(line));
  return (start < 0 ? lines.slice(-3) : lines.slice(start)).join("\n").trim();
}

const INFORMATIVE = /not ok|fail|error|assert|expected|panic|deleted|[✖✗×]/i;

/** Steps that list findings or drift in their evidence. */
const EVIDENCE_STEPS: ReadonlySet<ItemStep> = new Set<ItemStep>(["Architect (validation)", "Review"]);

function createBlock(
  step: ItemStep,
  blockedCategory: Category,
  details: { reason: string; issues: readonly string[] },
): ItemBlock {
  const { reason, issues } = details;
  return { blockedReason: toOneLine(reason), blockedBy: getStepAgent(step), blockedAt: step, blockedCategory, issues };
}

export const getBlockFields = ({ issues: _issues, unread: _unread, ...fields }: ItemBlock): BlockFields => fields;

/** The headline of a block. */
export function formatBlock(item: { id: string | number; title: string }, createBlock: BlockFields): string {
  const { blockedBy, blockedCategory, blockedReason } = createBlock;
  return `item ${item.id} "${toOneLine(item.title)}": ${blockedBy}: ${blockedCategory}: ${blockedReason}`;
}
