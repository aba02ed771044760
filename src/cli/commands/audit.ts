import { resolve } from "node:path";
import { isSqlRule } from "../../core/authoring/rule.ts";
import { auditLedger } from "../../surfaces/audit/audit.ts";
import { renderAudit } from "../../surfaces/audit/render.ts";
import type { Call } from "../call.ts";

export type AuditFlags = { readonly check?: boolean };

/** Evaluates the ledger rules of our own runs on an external ledger file. */
export async function auditFile(call: Call, file: string, flags: AuditFlags): Promise<number> {
  const { RULE_BOOK } = await import("../../pipelines/rule-book.ts");
  const rules = (RULE_BOOK["ledger"] ?? []).filter(isSqlRule).filter((rule) => rule.id.startsWith("EG-"));
  const audited = auditLedger({ file: resolve(call.dir, file), rules });
  if (call.json) call.emit({ v: 1, file, ...audited });
  else call.print(renderAudit(audited).trimEnd());
  const bad = Object.values(audited.totals).some((totals) => totals.fail > 0);
  return bad && flags.check ? 1 : 0;
}
