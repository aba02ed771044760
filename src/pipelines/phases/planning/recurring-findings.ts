import type { Audit, Mirages, VerifiedItem } from "../contracts.ts";

/** A finding with a name, and, where it is back, the iteration and the finding that it goes back to. */
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

/** What earlier iterations left: nothing in it is an agent's memory. */
export type ReviewHistory = {
  /** Items that the auditor has verified and not found failing since. */
  readonly verified: readonly VerifiedItem[];
  readonly executable: readonly string[];
  readonly known: readonly KnownFinding[];
  /** Findings that were gone for at least one iteration: verified as repaired. */
  readonly repaired: readonly string[];
};

export const NO_PAST: ReviewHistory = { verified: [], executable: [], known: [], repaired: [] };

type Reply = { readonly audit?: Audit | undefined; readonly mirages?: Mirages | undefined };

/**
 * Every finding of an iteration by name; one that was there before says since when.
 * @rule P-16 (policy) A plan names the version that it replaces, and a finding that is still there names where it
 *   began.
 */
export function traced({ audit, mirages }: Reply, past: ReviewHistory, iteration: number): TracedFinding[] {
  const audited = audit?.findings.map((finding) => ({ ...finding, by: "PlanAuditor", prefix: "PA" })) ?? [];
  const mirage = mirages?.mirage_findings
    .filter((finding) => finding.verdict !== "VERIFIED")
    .map((finding) => ({ ...finding, description: finding.claim, by: "AssumptionVerifier", prefix: "AV" }));
  return [...audited, ...(mirage ?? [])].map((finding, at) => {
    const before = past.known.find((each) => normal(each.description) === normal(finding.description));
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

/** @rule P-15 (policy) What was verified or settled once and no longer holds blocks, however small it looks. */
export function regressions({ audit, mirages }: Reply, past: ReviewHistory): string[] {
  const back = [...(audit?.findings ?? []), ...(mirages?.mirage_findings ?? [])].flatMap((finding) => {
    const text = "claim" in finding ? finding.claim : finding.description;
    const marked = finding.regression_iteration !== undefined || finding.regression_finding_id !== undefined;
    return marked || past.repaired.includes(normal(text)) ? [`is back: ${text}`] : [];
  });
  return [...back, ...(audit ? [...lostItems(audit, past), ...lostTasks(audit, past)] : [])];
}

/** Said to fail now, where something was verified before. One that is not named any more, or otherwise, is none. */
function lostItems({ verified_items }: Audit, past: ReviewHistory): string[] {
  if (past.verified.length === 0) return [];
  return verified_items
    .filter(({ status }) => status === "REGRESSED")
    .map(({ item_id, description }) => `no longer holds: ${description || item_id}`);
}

const isSame = (known: VerifiedItem, item: VerifiedItem): boolean =>
  known.item_id === item.item_id ||
  (known.description !== "" && normal(known.description) === normal(item.description));

const lostTasks = ({ executability_checklist }: Audit, past: ReviewHistory): string[] =>
  executability_checklist
    .filter(({ task_id, executable }) => !executable && past.executable.includes(task_id))
    .map(({ task_id }) => `can no longer be carried out: ${task_id}`);

/** Whether a finding was there in an earlier iteration. */
export const recurs = (description: string, past: ReviewHistory): boolean =>
  past.known.some((each) => normal(each.description) === normal(description));

/** The past as the next iteration sees it. Whoever had no opinion leaves it as it was. */
export function remember(past: ReviewHistory, reply: Reply, iteration: number): ReviewHistory {
  const { audit } = reply;
  const now = traced(reply, past, iteration);
  const present = new Set(now.map((finding) => normal(finding.description)));
  const fresh = now.filter((finding) => !recurs(finding.description, past));
  const gone = audit
    ? past.known.map(({ description }) => normal(description)).filter((text) => !present.has(text))
    : [];
  return {
    verified: audit ? verifiedIn(audit, past) : past.verified,
    executable: audit ? executableIn(audit) : past.executable,
    known: [...past.known, ...fresh.map(({ id, description }) => ({ id, iteration, description }))],
    repaired: [...new Set([...past.repaired, ...gone])],
  };
}

/** What holds stays on record until it is said to fail. */
function verifiedIn({ verified_items }: Audit, past: ReviewHistory): VerifiedItem[] {
  const named = (known: VerifiedItem) => verified_items.some((item) => isSame(known, item));
  return [
    ...past.verified.filter((known) => !named(known)),
    ...verified_items.filter(({ status }) => status === "VERIFIED"),
  ];
}

const executableIn = ({ executability_checklist }: Audit): string[] =>
  executability_checklist.filter(({ executable }) => executable).map(({ task_id }) => task_id);

const normal = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
