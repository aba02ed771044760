import { z } from "zod";
import { type DispatchAbout, defineRole } from "../../core/authoring/role.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { LedgerRow } from "../../core/journal/ledger.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import {
  CATEGORIES,
  type ContractStatus,
  Design,
  Implementation,
  Knowledge,
  RequestEvaluation,
  Research,
  Specification,
  Verdict,
  Verification,
} from "./contracts.ts";
import { parseEvaluation, parseInstructionUpdate } from "./documents/proposals.ts";
import type { Status } from "./documents/spellings.ts";
import {
  DesignerInput,
  EvaluatorInput,
  ImplementerInput,
  KnowledgeInput,
  PlannerInput,
  ResearcherInput,
  ReviewerInput,
  SpecInput,
  VerifierInput,
} from "./handover/inputs.ts";
import { Plan } from "./planning/plan.ts";

/** Input fields that the rows are made of; the others are for the reviewer only. */
const ReviewedThing = z.looseObject({ review_scope: z.enum(["design", "code"]), tree: z.string().optional() });

export const evaluator = defineRole({
  ...loadRolePrompt(import.meta.url, "evaluator"),
  input: EvaluatorInput,
  contract: RequestEvaluation,
  fails: failUnless("DONE"),
});

export const researcher = defineRole({
  ...loadRolePrompt(import.meta.url, "researcher"),
  input: ResearcherInput,
  contract: Research,
  fails: failUnless("DONE"),
});

export const spec = defineRole({
  ...loadRolePrompt(import.meta.url, "spec"),
  input: SpecInput,
  contract: Specification,
  fails: failUnless("DONE"),
});

export const designer = defineRole({
  ...loadRolePrompt(import.meta.url, "designer"),
  input: DesignerInput,
  contract: Design,
  fails: failUnless("DONE"),
});

export const reviewer = defineRole({
  ...loadRolePrompt(import.meta.url, "reviewer"),
  aliases: ["adversarial-reviewer"],
  input: ReviewerInput,
  // Fields for the rows that the engine writes.
  untold: ["review_perspective", "round", "task_id", "tree"],
  contract: Verdict,
  fails: failUnless("DONE", "NEEDS_REVISION"),
  revises: ({ status }) => status === "NEEDS_REVISION",
  rows: (verdict, about) => [...createReviewRows(verdict, about), ...createEvaluationRows("reviewer", verdict, about)],
});

export const planner = defineRole({
  ...loadRolePrompt(import.meta.url, "planner"),
  input: PlannerInput,
  contract: Plan,
  fails: failUnless("DONE"),
});

export const implementer = defineRole({
  ...loadRolePrompt(import.meta.url, "implementer"),
  input: ImplementerInput,
  contract: Implementation,
  fails: failUnless("DONE"),
  rows: (report, about) => createEvaluationRows("implementer", report, about),
  writes: true,
});

export const verifier = defineRole({
  ...loadRolePrompt(import.meta.url, "verifier"),
  input: VerifierInput,
  contract: Verification,
  fails: failUnless("DONE", "NEEDS_REVISION"),
  revises: ({ status }) => status === "NEEDS_REVISION",
  rows: (report, about) => createEvaluationRows("verifier", report, about),
});

export const knowledge = defineRole({
  ...loadRolePrompt(import.meta.url, "knowledge"),
  aliases: ["knowledge-agent"],
  input: KnowledgeInput,
  contract: Knowledge,
  fails: failUnless("DONE"),
  rows: (found, about) => [...createEvaluationRows("knowledge", found, about), ...createUpdateRows(found)],
});

/** Treats ERROR like a crash. Only the agent knows whether a retry can help. */
function failUnless(...may: readonly Status[]): (answer: ContractStatus) => Failure | undefined {
  return ({ status, summary, error_class }) => {
    const message = summary ?? `the agent reports ${status}`;
    if (status === "ERROR") {
      return { class: error_class === "deterministic" ? "deterministic" : "transient", code: "agent_error", message };
    }
    if (may.includes(status)) return undefined;
    return { class: "contract", code: "status_not_allowed", message: `${status} is not a status of this role` };
  };
}

/**
 * Builds one row per category, so that the gates can count approvals.
 * @rule L-37 (declaration) A review writes one row per category: 3 per reviewer, 9 per round, under the review's task
 *   id, with the perspective as instance.
 */
export function createReviewRows(verdict: Verdict, about: DispatchAbout): LedgerRow[] {
  const { review_scope: scope, tree } = ReviewedThing.parse(about.input);
  return CATEGORIES.map((category) => {
    const worst = verdict.findings.find((finding) => finding.category === category);
    return {
      table: "anvil_checks",
      values: {
        task_id: about.task,
        phase: "review",
        check_name: `review-${scope}-${category}`,
        tool: "adversarial-review",
        passed: verdict.verdicts[category] === "approve" ? 1 : 0,
        verdict: verdict.verdicts[category],
        severity: worst ? `${worst.severity.slice(0, 1).toUpperCase()}${worst.severity.slice(1)}` : null,
        output_snippet: (worst?.message ?? verdict.summary ?? "").slice(0, 500),
        round: about.round,
        instance: about.instance,
        tree: tree ?? "",
      },
    };
  });
}

function createEvaluationRows(
  agent: string,
  answer: { artifact_evaluations: unknown[] },
  about: DispatchAbout,
): LedgerRow[] {
  return answer.artifact_evaluations.flatMap(parseEvaluation).map((evaluation) => ({
    table: "artifact_evaluations",
    values: { evaluator_agent: agent, evaluator_instance: about.instance, ...evaluation },
  }));
}

/**
 * @rule L-30 (code) Artifact evaluations and instruction-update proposals are recorded. Proposals are never applied
 *   automatically.
 */
function createUpdateRows(found: { instruction_updates: unknown[] }): LedgerRow[] {
  return found.instruction_updates.flatMap(parseInstructionUpdate).map((update) => ({
    table: "instruction_updates",
    values: { agent: "knowledge", applied: 0, ...update },
  }));
}
