import type { Failure } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Evidence } from "../../core/verbs.ts";
import type { Contract } from "./contracts.ts";
import type { Item } from "./roadmap.ts";

export type Step = "Research" | "Architect (design)" | "Implement" | "Architect (validation)" | "Testing" | "Review";

export type Returned = {
  readonly step: Step;
  readonly contract: Contract;
  /** Whether the ADR that the architect names is in its tree. */
  readonly adrExists?: boolean;
  /** What the engine's own run of the verification commands showed. */
  readonly evidence?: Pick<Evidence, "passed" | "checks" | "regressions">;
};

/** When a step counts as passed. Signatures are checked before a contract gets here. */
export const PASS = valueRule({
  id: "R-18",
  because: "each agent has its own condition for going on",
  judge: ({ returned }: { returned: Returned }): Judgement => {
    const reason = missing(returned);
    if (reason === undefined) return { passed: true };
    const details = (returned.contract.failures ?? []).map(firstLines);
    const findings = [reason, ...details].map((message): Finding => ({ severity: "major", message }));
    return { passed: false, findings };
  },
});

/** What keeps a step from passing, in one line; undefined when nothing does. */
export function missing({ step, contract, adrExists, evidence }: Returned): string | undefined {
  const failed = evidence?.checks.filter((check) => !check.passed && check.before !== false) ?? [];
  if (step === "Testing" && failed.length > 0) return `red: ${failed.map((check) => check.name).join(", ")}`;
  if (step === "Testing" && contract.failures?.length) return `${contract.failures.length} failing tests`;
  if (step === "Review" && contract.verdict !== "ship") return `review says ${contract.verdict ?? "nothing"}`;
  if (contract.status !== "success") return oneLine(contract.blockedReason ?? `${step} is blocked`);
  if (step === "Architect (design)" && !adrExists) return "the ADR is not where the contract says";
  if (step === "Implement" && !contract.files?.length) return "no file is listed";
  return undefined;
}

export function categoryOf({ step, contract }: Pick<Returned, "step" | "contract">): string {
  if (step === "Testing") return "test_failure";
  if (step === "Review") return contract.verdict === "ship" ? "agent_blocked" : "review_verdict";
  if (step === "Architect (validation)") return "drift_detected";
  if (step === "Implement" && contract.status === "blocked") return "implementation_blocked";
  return contract.status === "blocked" ? "agent_blocked" : "contract_invalid";
}

const CONTRACT_CATEGORIES = [
  "contract_missing",
  "contract_ambiguous",
  "contract_invalid",
  "signature_missing",
  "signature_mismatch",
  "interrupted",
];

/** A dispatch that gave no usable contract. */
export function categoryOfFailure(failure: Pick<Failure, "code">): string {
  return CONTRACT_CATEGORIES.find((category) => category === failure.code) ?? "agent_blocked";
}

export const reasonOfFailure = (failure: Pick<Failure, "code" | "message">): string =>
  failure.code === "contract_missing" ? "missing output contract" : oneLine(failure.message);

/** Complex items always research; medium ones when planning left nothing; simple ones never. */
export function needsResearch(item: Pick<Item, "complexity" | "planningResearch">): boolean {
  if (item.complexity === "simple") return false;
  if (item.complexity === "complex" || item.planningResearch === null) return true;
  return Object.values(item.planningResearch).every((list) => list.length === 0);
}

const FAILURE_LINES = 3;
export const firstLines = (text: string): string => text.split("\n").slice(0, FAILURE_LINES).join("\n");

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
