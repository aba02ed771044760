import { z } from "zod";
import type { LedgerRow } from "../../core/ledger.ts";
import { type DispatchAbout, defineRole } from "../../core/role.ts";
import {
  CATEGORIES,
  Design,
  Implementation,
  Knowledge,
  Plan,
  RequestEvaluation,
  Research,
  Specification,
  Verdict,
  Verification,
} from "./contracts.ts";

export const evaluator = defineRole({
  name: "evaluator",
  does: "Weighs the request before any work: is it too wide, at odds with the code, or too vague to build?",
  contract: RequestEvaluation,
});

export const researcher = defineRole({
  name: "researcher",
  does: "Reads the code base from one angle and reports facts with the files that show them.",
  contract: Research,
});

export const spec = defineRole({
  name: "spec",
  does: "Turns the request and the research into numbered requirements with testable acceptance criteria.",
  contract: Specification,
});

export const designer = defineRole({
  name: "designer",
  does: "Chooses how the requirements will be met and gives a reason for every decision.",
  contract: Design,
});

export const reviewer = defineRole({
  name: "reviewer",
  does: "Attacks a design or a change from one perspective and gives one verdict per category.",
  contract: Verdict,
  rows: reviewRows,
});

export const planner = defineRole({
  name: "planner",
  does: "Cuts the design into small tasks that name their files, risks and dependencies.",
  contract: Plan,
});

export const implementer = defineRole({
  name: "implementer",
  does: "Carries out one task test-first, inside the files that the task names.",
  contract: Implementation,
  writes: true,
});

export const verifier = defineRole({
  name: "verifier",
  does: "Reads one finished task against its criteria and the recorded checks, and says what is missing.",
  contract: Verification,
});

export const knowledge = defineRole({
  name: "knowledge",
  does: "Looks back on the run and proposes what later runs should know.",
  contract: Knowledge,
  rows: knowledgeRows,
});

const ReviewInput = z.object({ scope: z.enum(["design", "code"]), tree: z.string().optional() });

/** One row per category, so that the gates can ask who approved what. */
export function reviewRows(verdict: Verdict, about: DispatchAbout): LedgerRow[] {
  const { scope, tree } = ReviewInput.parse(about.input);
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

/** Proposals are stored as not applied: only a person applies them. */
function knowledgeRows(found: z.infer<typeof Knowledge>, about: DispatchAbout): LedgerRow[] {
  const evaluations = found.artifact_evaluations.map((evaluation): LedgerRow => {
    const values = { evaluator_agent: "knowledge", evaluator_instance: about.instance, ...evaluation };
    return { table: "artifact_evaluations", values };
  });
  const updates = found.instruction_updates.map((update): LedgerRow => {
    return { table: "instruction_updates", values: { agent: "knowledge", applied: 0, ...update } };
  });
  return [...evaluations, ...updates];
}
