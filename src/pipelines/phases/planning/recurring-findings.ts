import type { Audit, Mirages, VerifiedItem } from "./contracts.ts";

/** A finding with a name, and, where it is back, the iteration and the finding that it goes back to. */
export type Traced = {
  readonly id: string;
  readonly by: string;
  readonly severity: string;
  readonly description: string;
  readonly file?: string | undefined;
  readonly regression_iteration?: number | undefined;
  readonly regression_finding_id?: string | undefined;
};

type Known = { readonly id: string; readonly iteration: number; readonly description: string };

/** What earlier iterations left: nothing in it is an agent's memory. */
export type Past = {
  /** Items that the auditor had verified in the iteration before. */
  readonly verified: readonly VerifiedItem[];
  readonly executable: readonly string[];
  readonly known: readonly Known[];
  /** Findings that were gone for at least one iteration: verified as repaired. */
  readonly repaired: readonly string[];
};

export const NO_PAST: Past = { verified: [], executable: [], known: [], repaired: [] };

type Reply = { readonly audit?: Audit | undefined; readonly mirages?: Mirages | undefined };

/** Every finding of an iteration by name; one that was there before says since when. */
export function traced({ audit, mirages }: Reply, past: Past, iteration: number): Traced[] {
  const audited = audit?.findings.map((finding) => ({ ...finding, by: "PlanAuditor", prefix: "PA" })) ?? [];
  const mirage = mirages?.mirage_findings
    .filter((finding) => finding.verdict !== "VERIFIED")
    .map((finding) => ({ ...finding, description: finding.claim, by: "AssumptionVerifier", prefix: "AV" }));
  return [...audited, ...(mirage ?? [])].map((finding, at) => {
    const before = past.known.find((each) => normal(each.description) === normal(finding.description));
    const { by, severity, description, regression_iteration = before?.iteration } = finding;
    const { regression_finding_id = before?.id } = finding;
    return {
      id: finding.id ?? `${finding.prefix}-${iteration}.${at + 1}`,
      by,
      severity,
      description,
      ...("file" in finding && finding.file !== undefined && { file: finding.file }),
      ...(regression_iteration !== undefined && { regression_iteration }),
      ...(regression_finding_id !== undefined && { regression_finding_id }),
    };
  });
}

/** What held once and no longer does: each of these blocks, however small it looks. */
export function regressions({ audit, mirages }: Reply, past: Past): string[] {
  const back = [...(audit?.findings ?? []), ...(mirages?.mirage_findings ?? [])].flatMap((finding) => {
    const text = "claim" in finding ? finding.claim : finding.description;
    const marked = finding.regression_iteration !== undefined || finding.regression_finding_id !== undefined;
    return marked || past.repaired.includes(normal(text)) ? [`is back: ${text}`] : [];
  });
  return [...back, ...(audit ? [...lostItems(audit, past), ...lostTasks(audit, past)] : [])];
}

/** Verified before and neither verified again nor said to hold. */
function lostItems({ verified_items }: Audit, past: Past): string[] {
  const holds = new Set(verified_items.filter(({ status }) => status === "VERIFIED").map(({ item_id }) => item_id));
  return past.verified
    .filter(({ item_id }) => !holds.has(item_id))
    .map(({ item_id, description }) => `no longer holds: ${description || item_id}`);
}

const lostTasks = ({ executability_checklist }: Audit, past: Past): string[] =>
  executability_checklist
    .filter(({ task_id, executable }) => !executable && past.executable.includes(task_id))
    .map(({ task_id }) => `can no longer be carried out: ${task_id}`);

/** Whether a finding was there in an earlier iteration. */
export const recurs = (description: string, past: Past): boolean =>
  past.known.some((each) => normal(each.description) === normal(description));

/** The past as the next iteration sees it. Whoever had no opinion leaves it as it was. */
export function remember(past: Past, reply: Reply, iteration: number): Past {
  const { audit } = reply;
  const now = traced(reply, past, iteration);
  const present = new Set(now.map((finding) => normal(finding.description)));
  const fresh = now.filter((finding) => !recurs(finding.description, past));
  const gone = audit
    ? past.known.map(({ description }) => normal(description)).filter((text) => !present.has(text))
    : [];
  return {
    verified: audit ? audit.verified_items.filter(({ status }) => status === "VERIFIED") : past.verified,
    executable: audit ? executableIn(audit) : past.executable,
    known: [...past.known, ...fresh.map(({ id, description }) => ({ id, iteration, description }))],
    repaired: [...new Set([...past.repaired, ...gone])],
  };
}

const executableIn = ({ executability_checklist }: Audit): string[] =>
  executability_checklist.filter(({ executable }) => executable).map(({ task_id }) => task_id);

const normal = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
