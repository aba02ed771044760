import { counted } from "../../core/text/counted.ts";
import { withoutSequences } from "../../core/text/terminal-sequences.ts";
import type { Spent } from "../../views/attempts.ts";
import { STATES, type StateName } from "../../views/states.ts";

// What moves a cursor, hides or reorders text has no place in a page that others will read.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of agents and people inside Markdown: on one line, cut, and meaning nothing but itself. */
export function inline(text: string, most = 300): string {
  const flat = plain(text);
  const cut = flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
  // A mention or a reference would notify somebody wherever the report is posted.
  return cut.replace(/[\\`*_{}[\]<>|~#!&]/g, "\\$&").replace(/@(?=\w)/g, "@\u2060");
}

function plain(text: string): string {
  return withoutSequences(text).replace(/\s+/g, " ").replace(UNSAFE, "").trim();
}

/** The same as code. A fence longer than any run of backticks inside cannot be closed from inside. */
export function code(text: string): string {
  const flat = plain(text).replaceAll("|", "¦");
  const fence = "`".repeat(longestRun(flat) + 1);
  const gap = flat.startsWith("`") || flat.endsWith("`") ? " " : "";
  return flat === "" ? "" : `${fence}${gap}${flat}${gap}${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

export function block(text: string, most = 4_000): string[] {
  const clean = withoutSequences(text)
    .replace(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\ufeff]/gu, "")
    .trimEnd();
  const cut = clean.length > most ? `${clean.slice(0, most)}\n…` : clean;
  const fence = "`".repeat(Math.max(2, longestRun(cut)) + 1);
  return [fence, ...cut.split("\n"), fence];
}

export function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/** What was said, and how many did not say: of whom nobody knows anything, nothing is known. */
export function moneyText({ usd, usdUnknown, attempts }: Pick<Spent, "usd" | "usdUnknown" | "attempts">): string {
  if (usdUnknown >= attempts) return "not reported by the agents";
  const silent = usdUnknown > 0 ? ` and ${counted(usdUnknown, "attempt")} that did not say` : "";
  return `$${usd.toFixed(2)}${silent}`;
}

/** A state as every surface names it. */
export function stateText(name: StateName): string {
  const { glyph, word } = STATES[name];
  return `${glyph} ${word}`;
}

/** Of a gate, or of one of its rules. */
export function gateState({ passed }: { readonly passed: boolean }): StateName {
  return passed ? "passed" : "missed";
}

/** `840 ms`, `12.4 s`, `2 min 08 s`, `1 h 04 min`. */
export function time(ms: number): string {
  if (ms < 950) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(Math.round(ms / 1000) / 60);
  const pad = (value: number): string => String(value).padStart(2, "0");
  if (minutes < 60) return `${minutes} min ${pad(Math.round(ms / 1000) % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** To the second, in UTC: the same text wherever the report is made. */
export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
