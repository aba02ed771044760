import { isBlank } from "./fenced-lines.ts";
import type { TextNames } from "./text-names.ts";

/** Key, optionally in bold or backticks, with the dashes of the list items that start on its line. */
const MEMBER = /^( *(?:- +)*)(["'`]|\*\*)?([A-Za-z_][\w-]*)(["'`]|\*\*)?([ \t]*:)(?:[ \t]+(\S.*))?$/;
const ITEM = /^( *- +)(\S.*)$/;
const BLOCK_HEADER = /^[|>][-+0-9]*[ \t]*(?:#.*)?$/;
const BLOCK_WITH_TEXT = /^([|>][-+]?)[ \t]+([^#\s].*)$/;

type YamlPosition = {
  /** Lines with a deeper indentation are the text of a block and are not changed. */
  block?: number | undefined;
  /** Items of this indentation or deeper are texts. */
  list?: number | undefined;
};

/**
 * Repairs the YAML that models write, if YAML refuses it: if a field can only contain text, the rest of its line is the
 * text, with any characters. Returns undefined if that repairs nothing.
 *
 * Contract: each line is read once. Callers parse the result again, so a repair is never trusted.
 */
export function repairYaml(text: string, names: TextNames): string | undefined {
  const lines = replaceTabs(text.trimEnd().split("\n"));
  if (!lines || lines.some(isLeftOpen)) return undefined;
  const position: YamlPosition = {};
  const mended = lines
    .map((line, at) => repairLine({ line, next: getNextIndent(lines, at), names, position }))
    .join("\n");
  return mended === text ? undefined : mended;
}

/** Converts each tab to one level, unless spaces are used too. */
function replaceTabs(lines: readonly string[]): readonly string[] | undefined {
  const indents = lines.map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  if (!indents.some((indent) => indent.includes("\t"))) return lines;
  if (indents.some((indent) => indent.includes(" "))) return undefined;
  return lines.map((line) => line.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length)));
}

/** Returns whether a quote is closed on another line. Its end would have to be guessed. */
function isLeftOpen(line: string): boolean {
  const value = MEMBER.exec(line)?.[6] ?? ITEM.exec(line)?.[2] ?? "";
  const quote = value.charAt(0);
  return (quote === '"' || quote === "'") && !value.slice(1).includes(quote);
}

function getNextIndent(lines: readonly string[], at: number): number {
  const next = lines[at + 1];
  return next === undefined || isBlank(next) ? -1 : measureIndent(next);
}

type YamlLine = {
  readonly line: string;
  /** Indentation of the next line, if it is not blank. */
  readonly next: number;
  readonly names: TextNames;
  readonly position: YamlPosition;
};

function repairLine(seen: YamlLine): string {
  const { line, next, position } = seen;
  if (isBlank(line)) return line;
  const indent = measureIndent(line);
  if (position.block !== undefined && indent > position.block) return line;
  position.block = undefined;
  const item = position.list !== undefined && indent >= position.list ? ITEM.exec(line) : null;
  if (!item) return repairMember(seen);
  const [, dash = "", value = ""] = item;
  return dash + (next > indent ? value : (repairText(value) ?? value));
}

function repairMember({ line, next, names, position }: YamlLine): string {
  const [, before = "", opened, key, closed, colon = ":", value = ""] = MEMBER.exec(line) ?? [];
  if (key === undefined) return line;
  position.list = value === "" && names.lists.has(key) ? before.length : undefined;
  if (BLOCK_HEADER.test(value)) position.block = before.length;
  if (opened !== closed) return line;
  const start = `${before}${key}${colon}`;
  if (value === "") return start;
  const mended = names.texts.has(key) ? repairValue(value, { column: before.length, next }) : undefined;
  return `${start} ${mended ?? value}`;
}

function repairValue(value: string, { column, next }: { column: number; next: number }): string | undefined {
  const [, mark, first] = BLOCK_WITH_TEXT.exec(value) ?? [];
  if (mark !== undefined && first !== undefined) {
    return `${mark}\n${" ".repeat(next > column ? next : column + 2)}${first}`;
  }
  // A text that continues below may start in any form.
  return next > column ? undefined : repairText(value);
}

/** Quotes the text so that YAML can read it. Returns undefined if it is readable already, or must not be changed. */
function repairText(value: string): string | undefined {
  const quote = value.charAt(0);
  if (quote === '"' || quote === "'") return repairQuotes(value, quote);
  if (/^(?:[&!#]|\*(?!\*)|\[.*\]$|\{.*\}$)/.test(value)) return undefined;
  const plain = /^[^\s"'`@%*|>[\]{},?:-]/.test(value) || /^[-?:][^\s]/.test(value);
  return plain && !/:(?:\s|$)|\s#[^\s#]/.test(value) ? undefined : JSON.stringify(value.trimEnd());
}

/**
 * Escapes with the same meaning in every quoted text. A backslash before any other character is a literal backslash.
 */
const ESCAPE = /\\(["\\/bfnrt])|\\|"/g;

function repairQuotes(value: string, quote: string): string {
  const trimmed = value.trimEnd();
  if (!trimmed.endsWith(quote)) return JSON.stringify(trimmed);
  const inner = trimmed.slice(1, -1);
  if (quote === "'") return `'${inner.replaceAll("''", "'").replaceAll("'", "''")}'`;
  const escaped = inner.replace(ESCAPE, (token, known) => (known === undefined ? `\\${token}` : token));
  return `"${escaped}"`;
}

function measureIndent(line: string): number {
  return line.length - line.trimStart().length;
}
