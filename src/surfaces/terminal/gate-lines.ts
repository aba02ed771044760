import type { JournalRecord } from "../../core/journal/record.ts";
import { counted } from "../../core/text/count.ts";
import { formatNeed } from "../../core/text/need-text.ts";
import type { RowCells } from "./check-lines.ts";
import { toOneLine } from "./clean-text.ts";
import { renderStateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";

type RuleRecord = JournalRecord<"gate.evaluated">;

/** Formats one gate evaluation: the rules that were missed, by how much, and the findings. */
export function formatGateEvaluation(
  paint: Paint,
  rules: readonly RuleRecord[],
  decision: unknown,
): { readonly first: RowCells; readonly more: readonly string[] } {
  const missed = rules.filter((rule) => !rule.passed);
  const name = `gate ${rules[0]?.gate ?? ""}`;
  const count = counted(rules.length, "rule");
  if (missed.length === 0) {
    const ids = rules.map((rule) => rule.rule).join(" ");
    return { first: [renderStateGlyph(paint, "passed"), name, "", paint.dim(`${count}: ${ids}`)], more: [] };
  }
  const findings = getFindings(decision);
  // A missed rule with a finding is described by it.
  const silent = missed.filter((rule) => !findings.some((finding) => finding.by === rule.rule));
  return {
    first: [renderStateGlyph(paint, "missed"), name, "", paint.red(`${missed.length} of ${count} missed`)],
    more: [
      ...silent.map((rule) => `    ${rule.rule}${formatMeasure(rule)}`),
      ...findings.map(({ severity, message, by }) => {
        const from = by && !message.startsWith(by) ? `${by}: ` : "";
        return `    ${paint.dim(severity)} ${toOneLine(`${from}${message}`)}`;
      }),
    ],
  };
}

function formatMeasure(rule: RuleRecord): string {
  if (rule.need === null) return "";
  return `  found ${toOneLine(JSON.stringify(rule.actual))}, ${toOneLine(formatNeed(rule))}`;
}

type GateFinding = { readonly severity: string; readonly message: string; readonly by?: string };

function getFindings(decision: unknown): readonly GateFinding[] {
  // The cast holds because the gate itself records the decision.
  return ((decision ?? {}) as { findings?: readonly GateFinding[] }).findings ?? [];
}
