import { maskCode } from "../code-mask.ts";
import { languageOf } from "../test-language.ts";
import type { Sides } from "./spliced.ts";

/**
 * Rust: a module under `#[cfg(test)]` at the top of the file is the exam, all else is code. Undefined where braces do
 * not match, or where something else is only there for tests: it cannot be moved from one text into another.
 */
export function splicedRust({ path, code, exam }: Sides): string | undefined {
  const [own, other] = [partsOf(path, code), partsOf(path, exam)];
  if (!own || !other) return undefined;
  if (own.exam === other.exam) return code;
  if (own.before + own.after === other.before + other.after) return exam;
  const gap = own.before === "" || own.before.endsWith("\n") ? "" : "\n";
  return own.before + gap + other.exam + own.after;
}

type Parts = { readonly before: string; readonly exam: string; readonly after: string };

const MARK = /#\[cfg\((?:test|all\(test\b[^\]]*\))\)\]/g;
const ANY_MARK = /\bcfg(?:_attr)?!?\([^\])]*\btest\b/;
const MODULE = /^(?:\s*#\[[^\]]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*([{;])/;

function partsOf(path: string, text: string): Parts | undefined {
  const syntax = languageOf(path)?.syntax;
  const mask = syntax ? maskCode(text, syntax) : text;
  const spans = spansIn(mask);
  const rest = spans && without(mask, spans);
  if (rest === undefined || ANY_MARK.test(rest) || depthOf(rest) !== 0) return undefined;
  const first = spans?.[0]?.from ?? text.length;
  return {
    before: text.slice(0, first),
    exam: (spans ?? []).map(({ from, to }) => text.slice(from, to)).join(""),
    after: without(text, [{ from: 0, to: first }, ...(spans ?? [])]),
  };
}

type Span = { readonly from: number; readonly to: number };

/** With the line's end behind it. */
function spansIn(mask: string): readonly Span[] | undefined {
  const spans: Span[] = [];
  for (const { index, 0: mark } of mask.matchAll(MARK)) {
    if (index < (spans.at(-1)?.to ?? 0)) continue;
    const module = MODULE.exec(mask.slice(index + mark.length));
    if (!module || depthOf(mask.slice(0, index)) !== 0) return undefined;
    const opened = index + mark.length + module[0].length;
    const end = module[1] === ";" ? opened : closing(mask, opened);
    if (end === undefined) return undefined;
    spans.push({ from: index, to: mask.charAt(end) === "\n" ? end + 1 : end });
  }
  return spans;
}

function closing(mask: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < mask.length; at += 1) {
    depth += weight(mask.charAt(at));
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function depthOf(mask: string): number {
  let depth = 0;
  for (const char of mask) depth += weight(char);
  return depth;
}

function weight(char: string): number {
  return char === "{" ? 1 : char === "}" ? -1 : 0;
}

function without(text: string, spans: readonly Span[]): string {
  let rest = "";
  let at = 0;
  for (const { from, to } of spans) {
    rest += text.slice(at, from);
    at = to;
  }
  return rest + text.slice(at);
}
