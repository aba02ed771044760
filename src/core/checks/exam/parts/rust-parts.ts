import { maskCode } from "../../tamper/code-mask.ts";
import { getTestLanguage } from "../../tamper/test-language.ts";
import type { SpliceSides } from "./combine-parts.ts";

/**
 * Splices Rust sources: top-level modules under `#[cfg(test)]` are exam, the rest is code. Returns undefined for
 * unbalanced braces.
 */
export function combineRustParts({ path, code, exam }: SpliceSides): string | undefined {
  const [own, other] = [separateModules(path, code), separateModules(path, exam)];
  if (!own || !other) return undefined;
  if (own.exam === other.exam) return code;
  if (own.before + own.after === other.before + other.after) return exam;
  const gap = own.before === "" || own.before.endsWith("\n") ? "" : "\n";
  return own.before + gap + other.exam + own.after;
}

/** Returns whether other test-only items differ. They have fixed positions and cannot be moved. */
export function isLooseRustChanged({ path, code, exam }: SpliceSides): boolean {
  return separateModules(path, code)?.loose !== separateModules(path, exam)?.loose;
}

type Parts = { readonly before: string; readonly exam: string; readonly after: string; readonly loose: string };

function separateModules(path: string, text: string): Parts | undefined {
  const syntax = getTestLanguage(path)?.syntax;
  const mask = syntax ? maskCode(text, syntax) : text;
  const braces = matchBraces(mask);
  if (!braces) return undefined;
  const spans = findTestModules(mask, braces);
  const first = spans[0]?.from ?? text.length;
  const cut = ({ from, to }: SourceRange) => text.slice(from, to);
  return {
    before: text.slice(0, first),
    exam: spans.map(cut).join(""),
    after: without(text, [{ from: 0, to: first }, ...spans]),
    loose: findLooseItems(mask, spans, braces).map(cut).join("\n"),
  };
}

type SourceRange = { readonly from: number; readonly to: number };

const MARK = /#\[cfg\((?:test|all\(test\b[^\]]{0,300}\))\)\]/g;
const MODULE =
  /^(?:\s{0,99}#\[[^\]]{0,300}\]){0,20}\s{0,99}(?:pub(?:\([^)]{0,99}\))?\s{1,99})?mod\s{1,99}\w+\s{0,99}([{;])/;
/** Maximum distance between a mark and its module, with other attributes between them. */
const MOST_BETWEEN = 10_000;

/** Spans include the line end after each module. */
function findTestModules(mask: string, { closing, depthAt }: Braces): readonly SourceRange[] {
  const spans: SourceRange[] = [];
  for (const { index, 0: mark } of mask.matchAll(MARK)) {
    if (index < (spans.at(-1)?.to ?? 0) || depthAt(index) !== 0) continue;
    const behind = index + mark.length;
    const module = MODULE.exec(mask.slice(behind, behind + MOST_BETWEEN));
    if (!module) continue;
    const opened = behind + module[0].length;
    const end = module[1] === ";" ? opened : closing(opened - 1);
    spans.push({ from: index, to: mask.charAt(end) === "\n" ? end + 1 : end });
  }
  return spans;
}

const ANY_MARK = /\bcfg(?:_attr)?!?\([^\])]{0,300}\btest\b/g;

/** From the mark to the end of the marked item; an item inside an earlier one belongs to that. */
function findLooseItems(mask: string, modules: readonly SourceRange[], { closing }: Braces): readonly SourceRange[] {
  const loose: SourceRange[] = [];
  let next = 0;
  let [brace, semicolon] = [-1, -1];
  for (const { index: from } of mask.matchAll(ANY_MARK)) {
    while (from >= (modules[next]?.to ?? mask.length + 1)) next += 1;
    const inModule = from >= (modules[next]?.from ?? mask.length + 1);
    if (inModule || from < (loose.at(-1)?.to ?? 0)) continue;
    // Each position is searched again only after it was passed, because a long text has many marks.
    if (brace < from) brace = findPosition(mask, "{", from);
    if (semicolon < from) semicolon = findPosition(mask, ";", from);
    loose.push({ from, to: brace < semicolon ? closing(brace) : semicolon });
  }
  return loose;
}

/** Returns the end of the text if there is none. */
function findPosition(mask: string, char: string, from: number): number {
  const at = mask.indexOf(char, from);
  return at < 0 ? mask.length : at;
}

type Braces = {
  /** Index after the brace that closes the one at this position. */
  closing(at: number): number;
  /** Must be called from left to right. */
  depthAt(at: number): number;
};

/** Returns undefined if they are unbalanced. */
function matchBraces(mask: string): Braces | undefined {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < mask.length; at += 1) {
    const char = mask.charAt(at);
    if (char === "{") open.push(at);
    if (char !== "}") continue;
    const start = open.pop();
    if (start === undefined) return undefined;
    closings.set(start, at + 1);
  }
  if (open.length > 0) return undefined;
  let [seen, depth] = [0, 0];
  return {
    closing: (at) => closings.get(at) ?? mask.length,
    depthAt(to) {
      for (; seen < to; seen += 1) depth += weight(mask.charAt(seen));
      return depth;
    },
  };
}

function weight(char: string): number {
  return char === "{" ? 1 : char === "}" ? -1 : 0;
}

function without(text: string, spans: readonly SourceRange[]): string {
  let rest = "";
  let at = 0;
  for (const { from, to } of spans) {
    rest += text.slice(at, from);
    at = to;
  }
  return rest + text.slice(at);
}
