import type { Audit, Mirages, VerifiedItem } from "../contracts.ts";

/** A finding with an id; if it recurs, also the iteration and the id of the first one. */
export type TracedFinding = {
  readonly id: string;
  readonly by: string;
  readonly severity: string;
  readonly description: string;
  readonly file?: string | undefined;
  readonly regression_iteration?: number | undefined;
  readonly regression_finding_id?: string | undefined;
};

type KnownFinding = { readonly id: string; readonly iteration: number; readonly description: string };

/** History of earlier iterations, kept by the engine. */
export type ReviewHistory = {
  /** Items that the auditor verified and that did not fail since. */
  readonly verified: readonly VerifiedItem[];
  readonly executable: readonly string[];
  readonly known: readonly KnownFinding[];
  /** Findings that were absent for at least one iteration and count as repaired. */
  readonly repaired: readonly string[];
};

export const EMPTY_HISTORY: ReviewHistory = { verified: [], executable: [], known: [], repaired: [] };

type ReviewReply = { readonly audit?: Audit | undefined; readonly mirages?: Mirages | undefined };

/**
 * Gives every finding of an iteration an id, and its origin if it was found before.
 * @rule P-16 (policy) A replanned plan has `revision_of`; a recurring finding contains the iteration and id of the
 *   finding that it repeats.
 */
export function traceFindings(
  { audit, mirages }: ReviewReply,
  past: ReviewHistory,
  iteration: number,
): TracedFinding[] {
  const audited = audit?.findings.map((finding) => ({ ...finding, by: "PlanAuditor", prefix: "PA" })) ?? [];
  const mirage = mirages?.mirage_findings
    .filter((finding) => finding.verdict !== "VERIFIED")
    .map((finding) => ({ ...finding, description: finding.claim, by: "AssumptionVerifier", prefix: "AV" }));
  return [...audited, ...(mirage ?? [])].map((finding, at) => {
    const before = past.known.find(
      (each) => normalizeFinding(each.description) === normalizeFinding(finding.description),
    );
    const { by, severity, description, regression_iteration = before?.iteration } = finding;
    const { regression_finding_id = before?.id } = finding;
    return {
      id: `${finding.prefix}-${iteration}.${at + 1}`,
      by,
      severity,
      description,
      ...("file" in finding && finding.file !== undefined && { file: finding.file }),
      ...(regression_iteration !== undefined && { regression_iteration }),
      ...(regression_finding_id !== undefined && { regression_finding_id }),
    };
  });
}

/**
 * @rule P-15 (policy) An item that was verified or repaired earlier and fails now is a blocking regression, whatever
 *   its severity.
 */
export function findRegressions({ audit, mirages }: ReviewReply, past: ReviewHistory): string[] {
  const back = [...(audit?.findings ?? []), ...(mirages?.mirage_findings ?? [])].flatMap((finding) => {
    const text = "claim" in finding ? finding.claim : finding.description;
    const marked = finding.regression_iteration !== undefined || finding.regression_finding_id !== undefined;
    return marked || past.repaired.includes(normalizeFinding(text)) ? [`is back: ${text}`] : [];
  });
  return [...back, ...(audit ? [...listLostItems(audit, past), ...listLostTasks(audit, past)] : [])];
}

/**
 * Items reported as failing after an earlier verification. An item that is renamed or no longer listed is no
 * regression.
 */
function listLostItems({ verified_items }: Audit, past: ReviewHistory): string[] {
  if (past.verified.length === 0) return [];
  return verified_items
    .filter(({ status }) => status === "REGRESSED")
    .map(({ item_id, description }) => `no longer holds: ${description || item_id}`);
}

const isSameItem = (known: VerifiedItem, item: VerifiedItem): boolean =>
  known.item_id === item.item_id ||
  (known.description !== "" && normalizeFinding(known.description) === normalizeFinding(item.description));

const listLostTasks = ({ executability_checklist }: Audit, past: ReviewHistory): string[] =>
  executability_checklist
    .filter(({ task_id, executable }) => !executable && past.executable.includes(task_id))
    .map(({ task_id }) => `is no longer executable: ${task_id}`);

/** True if an earlier iteration had this finding. */
export const isRecurring = (description: string, past: ReviewHistory): boolean =>
  past.known.some((each) => normalizeFinding(each.description) === normalizeFinding(description));

/** Returns the history for the next iteration. An abstention leaves it unchanged. */
export function updateHistory(past: ReviewHistory, reply: ReviewReply, iteration: number): ReviewHistory {
  const { audit } = reply;
  const now = traceFindings(reply, past, iteration);
  const present = new Set(now.map((finding) => normalizeFinding(finding.description)));
  const fresh = now.filter((finding) => !isRecurring(finding.description, past));
  const gone = audit
    ? past.known.map(({ description }) => normalizeFinding(description)).filter((text) => !present.has(text))
    : [];
  return {
    verified: audit ? updateVerified(audit, past) : past.verified,
    executable: audit ? listExecutable(audit) : past.executable,
    known: [...past.known, ...fresh.map(({ id, description }) => ({ id, iteration, description }))],
    repaired: [...new Set([...past.repaired, ...gone])],
  };
}

/** A verified item stays verified until it is reported as failing. */
function updateVerified({ verified_items }: Audit, past: ReviewHistory): VerifiedItem[] {
  const isItemNamed = (known: VerifiedItem) => verified_items.some((item) => isSameItem(known, item));
  return [
    ...past.verified.filter((known) => !isItemNamed(known)),
    ...verified_items.filter(({ status }) => status === "VERIFIED"),
  ];
}

const listExecutable = ({ executability_checklist }: Audit): string[] =>
  executability_checklist.filter(({ executable }) => executable).map(({ task_id }) => task_id);

const normalizeFinding = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
