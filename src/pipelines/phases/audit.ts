import type { Decision } from "../../core/decision.ts";
import type { Outcome } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Audit, Executability, Mirages } from "./contracts.ts";
import { asFinding } from "./findings.ts";

const AUDIT_FLOOR = 0.7;
const EXECUTABILITY_FLOOR = 0.6;
const STAGNATION_FROM = 3;
const STAGNATION_POINTS = 5;

export type Seen = {
  readonly iteration: number;
  readonly audit?: Outcome<Audit> | undefined;
  readonly mirages?: Outcome<Mirages> | undefined;
  readonly executability?: Outcome<Executability> | undefined;
  /** Items that the auditor had verified in the iteration before. */
  readonly verified: readonly string[];
};

/** The verdict of one iteration: everybody who was asked must be content; an abstention counts for nobody. */
export const PLAN_REVIEW = valueRule({
  id: "P-08",
  because: "auditor approves, no blocking mirage, and the plan can be carried out",
  judge: ({ seen }: { seen: Seen }): Judgement => {
    const findings = [...auditFindings(seen), ...mirageFindings(seen), ...executabilityFindings(seen)];
    const score = seen.audit?.ok ? seen.audit.value.score : 0;
    return { passed: isClean(seen) && !executabilityObjects(seen), findings, score };
  },
});

/** Whether the plan may go on to the executability verifier. */
export function isClean(seen: Seen): boolean {
  const audit = auditOf(seen);
  const objects = audit?.status === "NEEDS_REVISION" || audit?.status === "REJECTED" || lost(seen).length > 0;
  return !objects && !blocking(seen).length;
}

export const isRejected = (seen: Seen): boolean => auditOf(seen)?.status === "REJECTED";

/** Whoever was asked and had no opinion: shown at the next approval, never counted as a yes. */
export function abstained(seen: Seen): string[] {
  return [
    ...(seen.audit && !auditOf(seen) ? ["PlanAuditor"] : []),
    ...(seen.mirages && !miragesOf(seen) ? ["AssumptionVerifier"] : []),
    ...(seen.executability && !executabilityOf(seen) ? ["ExecutabilityVerifier"] : []),
  ];
}

export const isUseful = ({ status, confidence }: Pick<Executability, "status" | "confidence">): boolean =>
  status !== "ABSTAIN" && confidence >= EXECUTABILITY_FLOOR;

export function stagnated(history: readonly Decision[]): string | undefined {
  if (history.length < STAGNATION_FROM) return undefined;
  const [last, ...before] = history
    .slice(-STAGNATION_FROM)
    .map((decision) => decision.score ?? 0)
    .reverse();
  const gain = (last ?? 0) - Math.min(...before);
  return gain < STAGNATION_POINTS ? `${gain} points gained over two iterations` : undefined;
}

/** The version with the highest score; the later one where two are equal. */
export function bestOf<T extends { readonly decision: Decision }>(versions: readonly T[]): T | undefined {
  return versions.reduce<T | undefined>(
    (best, each) => (best === undefined || (each.decision.score ?? 0) >= (best.decision.score ?? 0) ? each : best),
    undefined,
  );
}

function auditOf({ audit }: Seen): Audit | undefined {
  const useful = audit?.ok && audit.value.status !== "ABSTAIN" && audit.value.confidence >= AUDIT_FLOOR;
  return useful ? audit.value : undefined;
}

function miragesOf({ mirages }: Seen): Mirages | undefined {
  const useful = mirages?.ok && mirages.value.status !== "ABSTAIN" && mirages.value.confidence >= AUDIT_FLOOR;
  return useful ? mirages.value : undefined;
}

const executabilityOf = ({ executability }: Seen): Executability | undefined =>
  executability?.ok && isUseful(executability.value) ? executability.value : undefined;

const blocking = (seen: Seen) => miragesOf(seen)?.mirage_findings.filter((each) => each.severity === "BLOCKING") ?? [];

/** Verified before and no longer: a regression blocks, however small it looks. */
function lost(seen: Seen): string[] {
  const audit = auditOf(seen);
  return audit ? seen.verified.filter((item) => !audit.verified_items.includes(item)) : [];
}

const executabilityObjects = (seen: Seen): boolean =>
  seen.executability !== undefined && executabilityOf(seen)?.status !== "PASS";

const auditFindings = (seen: Seen): Finding[] => [
  ...(auditOf(seen)?.findings.map(asFinding) ?? []),
  ...lost(seen).map((item): Finding => ({ severity: "critical", message: `no longer holds: ${item}` })),
];

const mirageFindings = (seen: Seen): Finding[] =>
  miragesOf(seen)?.mirage_findings.map(({ severity, claim }) => ({
    severity: severity === "BLOCKING" ? "critical" : "minor",
    message: claim,
  })) ?? [];

const executabilityFindings = (seen: Seen): Finding[] => executabilityOf(seen)?.findings.map(asFinding) ?? [];
