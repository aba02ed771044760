import { counted } from "../../core/text/count.ts";
import { removeSequences } from "../../core/text/terminal-sequences.ts";
import type { UsageTotals } from "../../views/attempts.ts";
import { STATES, type StateName } from "../../views/states.ts";

// Matches characters that move the cursor, hide text or reorder it. They are removed from pages that others read.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes text of agents and people for Markdown: one line, cut, without any markup. */
export function escapeInline(text: string, most = 300): string {
  const flat = toPlainLine(text);
  const cut = flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
  // Prevents mentions and references, which would notify people wherever the report is posted.
  return cut.replace(/[\\`*_{}[\]<>|~#!&]/g, "\\$&").replace(/@(?=\w)/g, "@\u2060");
}

function toPlainLine(text: string): string {
  return removeSequences(text).replace(/\s+/g, " ").replace(UNSAFE, "").trim();
}

/** Formats text as inline code. A fence longer than any run of backticks in the text cannot be closed from inside. */
export function formatInlineCode(text: string): string {
  const flat = toPlainLine(text).replaceAll("|", "¦");
  const fence = "`".repeat(findLongestBacktickRun(flat) + 1);
  const gap = flat.startsWith("`") || flat.endsWith("`") ? " " : "";
  return flat === "" ? "" : `${fence}${gap}${flat}${gap}${fence}`;
}

function findLongestBacktickRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

export function formatCodeBlock(text: string, most = 4_000): string[] {
  const clean = removeSequences(text)
    .replace(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\ufeff]/gu, "")
    .trimEnd();
  const cut = clean.length > most ? `${clean.slice(0, most)}\n…` : clean;
  const fence = "`".repeat(Math.max(2, findLongestBacktickRun(cut)) + 1);
  return [fence, ...cut.split("\n"), fence];
}

export function formatMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/**
 * Formats the reported cost and the number of attempts without one. If no attempt reported a cost, there is no amount.
 */
export function formatReportedCost({
  usd,
  usdUnknown,
  attempts,
}: Pick<UsageTotals, "usd" | "usdUnknown" | "attempts">): string {
  if (usdUnknown >= attempts) return "not reported by the agents";
  const silent = usdUnknown > 0 ? ` and ${counted(usdUnknown, "attempt")} without a reported cost` : "";
  return `$${usd.toFixed(2)}${silent}`;
}

/** Formats a state with the glyph and word that all surfaces use. */
export function formatState(name: StateName): string {
  const { glyph, word } = STATES[name];
  return `${glyph} ${word}`;
}

/** Returns the state of a gate or a rule. */
export function toGateState({ passed }: { readonly passed: boolean }): StateName {
  return passed ? "passed" : "missed";
}

/** Formats a duration: `840 ms`, `12.4 s`, `2 min 08 s`, `1 h 04 min`. */
export function formatReportDuration(ms: number): string {
  if (ms < 950) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(Math.round(ms / 1000) / 60);
  const pad = (value: number): string => String(value).padStart(2, "0");
  if (minutes < 60) return `${minutes} min ${pad(Math.round(ms / 1000) % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** Formats a time in UTC, so that the text does not depend on where the report is rendered. */
export function formatTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
