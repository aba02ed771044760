import { maskCode } from "../code-mask.ts";
import { languageOf } from "../test-language.ts";
import type { Sides } from "./spliced.ts";

/**
 * Rust: modules under `#[cfg(test)]` at the top of the file are the exam, all else is code. Undefined where braces do
 * not match.
 */
export function splicedRust({ path, code, exam }: Sides): string | undefined {
  const [own, other] = [partsOf(path, code), partsOf(path, exam)];
  if (!own || !other) return undefined;
  if (own.exam === other.exam) return code;
  if (own.before + own.after === other.before + other.after) return exam;
  const gap = own.before === "" || own.before.endsWith("\n") ? "" : "\n";
  return own.before + gap + other.exam + own.after;
}

/** Is there something else that is only there for tests, and differs? It has its place and cannot be moved. */
export function looseRustDiffers({ path, code, exam }: Sides): boolean {
  return partsOf(path, code)?.loose !== partsOf(path, exam)?.loose;
}

type Parts = { readonly before: string; readonly exam: string; readonly after: string; readonly loose: string };

function partsOf(path: string, text: string): Parts | undefined {
  const syntax = languageOf(path)?.syntax;
  const mask = syntax ? maskCode(text, syntax) : text;
  if (depthOf(mask) !== 0) return undefined;
  const spans = modulesIn(mask);
  const first = spans[0]?.from ?? text.length;
  const cut = ({ from, to }: Span) => text.slice(from, to);
  return {
    before: text.slice(0, first),
    exam: spans.map(cut).join(""),
    after: without(text, [{ from: 0, to: first }, ...spans]),
    loose: looseIn(mask, spans).map(cut).join("\n"),
  };
}

type Span = { readonly from: number; readonly to: number };

const MARK = /#\[cfg\((?:test|all\(test\b[^\]]*\))\)\]/g;
const MODULE = /^(?:\s*#\[[^\]]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*([{;])/;

/** With the line's end behind each. */
function modulesIn(mask: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index, 0: mark } of mask.matchAll(MARK)) {
    const module = MODULE.exec(mask.slice(index + mark.length));
    const isTop = index >= (spans.at(-1)?.to ?? 0) && depthOf(mask.slice(0, index)) === 0;
    if (!module || !isTop) continue;
    const opened = index + mark.length + module[0].length;
    const end = module[1] === ";" ? opened : closing(mask, opened);
    spans.push({ from: index, to: mask.charAt(end) === "\n" ? end + 1 : end });
  }
  return spans;
}

const ANY_MARK = /\bcfg(?:_attr)?!?\([^\])]*\btest\b/g;

/** From the mark to the end of what it marks. */
function looseIn(mask: string, modules: readonly Span[]): readonly Span[] {
  const marks = [...mask.matchAll(ANY_MARK)].map(({ index }) => index);
  const outside = marks.filter((at) => !modules.some(({ from, to }) => at >= from && at < to));
  return outside.map((from) => {
    const [brace, semicolon] = [mask.indexOf("{", from), mask.indexOf(";", from)];
    const isBlock = brace >= 0 && (semicolon < 0 || brace < semicolon);
    return { from, to: isBlock ? closing(mask, brace + 1) : semicolon < 0 ? mask.length : semicolon };
  });
}

/** Behind the brace that closes the one before `from`. */
function closing(mask: string, from: number): number {
  let depth = 1;
  for (let at = from; at < mask.length; at += 1) {
    depth += weight(mask.charAt(at));
    if (depth === 0) return at + 1;
  }
  return mask.length;
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
