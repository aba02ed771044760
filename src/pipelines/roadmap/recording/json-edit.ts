import type { Json } from "../../../core/text/json.ts";

/**
 * Edits JSON text and leaves every other byte unchanged: indentation, number forms, key order, unknown members. The
 * text must be valid JSON; of equal keys, the last one counts, as in JSON.parse.
 */
export type Path = readonly (string | number)[];

/** Sets a member of an object. A new member is added at the end in the style of the previous one. */
export function setMember(text: string, path: Path, value: Json): string {
  const { node: parent, key } = findParent(text, path);
  const known = parent.members.findLast((member) => member.key === key);
  if (known) return replaceSpan(text, known.value, formatInStyle(text, value, getGapBefore(text, known.start)));
  const last = parent.members.at(-1);
  if (!last) return replaceSpan(text, parent, `{${JSON.stringify(key)}: ${JSON.stringify(value)}}`);
  const gap = getGapBefore(text, last.start);
  const colon = text.slice(last.keyEnd, last.value.start);
  const added = `,${gap}${JSON.stringify(key)}${colon}${formatInStyle(text, value, gap)}`;
  return replaceSpan(text, { start: last.value.end, end: last.value.end }, added);
}

export function removeMember(text: string, path: Path): string {
  const { node: parent, key } = findParent(text, path);
  const at = parent.members.findLastIndex((member) => member.key === key);
  const member = parent.members[at];
  if (!member) return text;
  const [before, after] = [parent.members[at - 1], parent.members[at + 1]];
  if (before) return replaceSpan(text, { start: before.value.end, end: member.value.end }, "");
  return replaceSpan(text, { start: member.start, end: after?.start ?? member.value.end }, "");
}

/** Appends to a list in the style of its entries. */
export function appendToList(text: string, path: Path, values: readonly Json[]): string {
  const { node: parent, key } = findParent(text, path);
  const member = parent.members.findLast((each) => each.key === key);
  const last = member?.value.items.at(-1);
  if (!last) return setMember(text, path, values);
  const gap = getGapBefore(text, last.start);
  const added = values.map((value) => `,${gap}${formatInStyle(text, value, gap)}`).join("");
  return replaceSpan(text, { start: last.end, end: last.end }, added);
}

type JsonSpan = { readonly start: number; readonly end: number };
type Node = JsonSpan & { readonly members: readonly Member[]; readonly items: readonly Node[] };
type Member = { readonly key: string; readonly start: number; readonly keyEnd: number; readonly value: Node };

function findParent(text: string, path: Path): { readonly node: Node; readonly key: string } {
  let node = scan(text, 0);
  for (const part of path.slice(0, -1)) {
    const inner =
      typeof part === "number" ? node.items[part] : node.members.findLast((each) => each.key === part)?.value;
    if (!inner) throw new Error(`the text has nothing at ${path.join(".")}`);
    node = inner;
  }
  return { node, key: String(path.at(-1)) };
}

/** Scans the value at or after this position. */
function scan(text: string, from: number): Node {
  const start = skipBlank(text, from);
  const opening = text[start];
  if (opening === "{") return scanObject(text, start);
  if (opening === "[") return scanList(text, start);
  const end = opening === '"' ? findStringEnd(text, start) : findScalarEnd(text, start);
  return { start, end, members: [], items: [] };
}

function scanObject(text: string, start: number): Node {
  const members: Member[] = [];
  let at = skipBlank(text, start + 1);
  while (text[at] !== "}") {
    const keyEnd = findStringEnd(text, at);
    const value = scan(text, skipBlank(text, keyEnd) + 1);
    // The text was parsed before, so this is a string.
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, keyEnd, value });
    at = skipComma(text, value.end);
  }
  return { start, end: at + 1, members, items: [] };
}

function scanList(text: string, start: number): Node {
  const items: Node[] = [];
  let at = skipBlank(text, start + 1);
  while (text[at] !== "]") {
    const item = scan(text, at);
    items.push(item);
    at = skipComma(text, item.end);
  }
  return { start, end: at + 1, members: [], items };
}

const BLANK = /[\s\uFEFF]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

const skipBlank = (text: string, from: number): number => matchEnd(BLANK, text, from);
const findStringEnd = (text: string, from: number): number => matchEnd(STRING, text, from);
const findScalarEnd = (text: string, from: number): number => matchEnd(SCALAR, text, from);

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  if (!pattern.test(text)) throw new Error(`the text is not JSON at ${from}`);
  return pattern.lastIndex;
}

function skipComma(text: string, from: number): number {
  const at = skipBlank(text, from);
  return text[at] === "," ? skipBlank(text, at + 1) : at;
}

function getGapBefore(text: string, start: number): string {
  return /\s*$/.exec(text.slice(0, start))?.[0] ?? "";
}

/** Writes a value on one line if the file does; otherwise indents it like the file. */
function formatInStyle(text: string, value: Json, gap: string): string {
  if (!gap.includes("\n")) return JSON.stringify(value);
  return JSON.stringify(value, null, detectIndent(text)).replaceAll("\n", gap);
}

function detectIndent(text: string): string {
  return /^[[{]\s*?\n([ \t]+)/.exec(text.replace(/^[\s\uFEFF]+/, ""))?.[1] ?? "  ";
}

const replaceSpan = (text: string, { start, end }: JsonSpan, by: string): string =>
  `${text.slice(0, start)}${by}${text.slice(end)}`;
