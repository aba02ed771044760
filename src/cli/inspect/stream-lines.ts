import { counted } from "../../core/text/count.ts";
import { cleanText } from "../../surfaces/terminal/clean-text.ts";
import type { OutputTail } from "./spool-text.ts";

export function formatStream(dim: (text: string) => string, name: string, tail: OutputTail | undefined): string[] {
  if (!tail) return name === "" ? [dim("   no output stored")] : [];
  if (tail.size === 0) return name === "" ? [dim("   no output")] : [];
  const cut = tail.cut
    ? [dim(`   … the last ${counted(tail.lines.length, "line")} of ${tail.size} bytes; --lines all shows more`)]
    : [];
  return [...(name === "" ? [] : [dim(`   ${name}`)]), ...cut, ...tail.lines.map((line) => `   ${formatLine(line)}`)];
}

const MAX_LINE_LENGTH = 2_000;

/** Shortens a line, because some agents print everything on one line. */
export function formatLine(line: string): string {
  // Terminals do not show these separators, but some readers break lines at them.
  const clean = cleanText(line).replaceAll(/[\u2028\u2029]/g, " ");
  return clean.length > MAX_LINE_LENGTH ? `${clean.slice(0, MAX_LINE_LENGTH)}… (${clean.length} characters)` : clean;
}
