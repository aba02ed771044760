import type { DispatchAbout, Role, Verdict } from "../../core/authoring/role.ts";
import type { LedgerRow } from "../../core/journal/ledger.ts";

/** Returns all rows that follow from a valid contract: its verdicts, and the role's own rows. */
export function createVerdictRows(role: Role, contract: unknown, about: DispatchAbout): readonly LedgerRow[] {
  const verdicts = listVerdicts(role, contract, about).map((verdict) => toVerdictRow(role, verdict, about));
  return [...verdicts, ...(role.rows?.(contract, about) ?? [])];
}

/** Tells whether the work goes back, according to the role or a verdict that did not pass. */
export function isSentBack(role: Role, contract: unknown, about: DispatchAbout): boolean {
  return role.revises?.(contract) ?? listVerdicts(role, contract, about).some(({ passed }) => !passed);
}

function listVerdicts(role: Role, contract: unknown, about: DispatchAbout): readonly Verdict[] {
  return [role.verdict?.(contract, about) ?? []].flat();
}

/** Longest reason that the ledger stores. */
const BECAUSE = 500;

/** The ledger writes severities with a capital letter and refuses any other value. */
const capitalizeSeverity = (severity: string): string => `${severity.slice(0, 1).toUpperCase()}${severity.slice(1)}`;

/**
 * Builds a review row. Its phase is never that of evidence, so no rule over evidence can count a verdict of an agent.
 */
function toVerdictRow({ name }: Role, verdict: Verdict, { task, round, instance }: DispatchAbout): LedgerRow {
  const { passed, about = "review", word = passed ? "approve" : "needs_revision", severity, because, tree } = verdict;
  return {
    table: "anvil_checks",
    values: {
      task_id: task,
      phase: "review",
      check_name: about,
      tool: name,
      passed: passed ? 1 : 0,
      verdict: word,
      ...(severity === undefined ? {} : { severity: capitalizeSeverity(severity) }),
      ...(because === undefined ? {} : { output_snippet: because.slice(0, BECAUSE) }),
      round,
      instance,
      ...(tree === undefined ? {} : { tree: tree.tree }),
    },
  };
}
