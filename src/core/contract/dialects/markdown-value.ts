import type { Json } from "../../text/json.ts";
import type { Kind, Shape } from "../shape.ts";
import { parseJsonTree } from "./json-tree.ts";

/** Field of a section: the text after its colon and the indented lines below. */
export type RawField = { readonly name: string; readonly inline: string; readonly below: readonly string[] };

/** Reads a field according to the kinds that its schema accepts, because Markdown itself only has text. */
export function readFieldValue(raw: RawField, shape: Shape): Json | undefined {
  const bullets = raw.below.some(isBullet);
  if (isAcceptedKind(shape, "array") && (bullets || !isTextAccepted(shape))) return listOf(raw, shape);
  const text = [raw.inline, ...raw.below.map((line) => line.trim())].join("\n").trim();
  return text === "" ? undefined : readScalar(text, shape);
}

/** Writes the value on one line so that `readFieldValue` reads it back: verbatim if that is unambiguous, else as JSON. */
export function formatInlineValue(value: Json): string {
  return typeof value === "string" && isPlain(value) ? value : JSON.stringify(value);
}

/** Spellings of an empty list. */
const NOTHING = /^(?:none|n\/a)\.?$/i;

function listOf(raw: RawField, shape: Shape): Json {
  if (raw.below.length === 0) {
    if (raw.inline === "" || NOTHING.test(raw.inline)) return [];
    const tree = parseJsonTree(raw.inline);
    if (tree.ok && Array.isArray(tree.value)) return tree.value;
  }
  const items = shape.items();
  return readListItems(raw).map((text) => readScalar(text, items));
}

/** Reads list items: bullets at the first bullet's indentation start an item; deeper lines continue it. */
function readListItems({ inline, below }: RawField): readonly string[] {
  const first = below.find(isBullet) ?? "";
  const items: string[][] = inline === "" ? [] : [[inline]];
  for (const line of below) {
    const last = items.at(-1);
    if (isBullet(line) && indentOf(line) <= indentOf(first)) items.push([line.trim().slice(1).trim()]);
    else if (last) last.push(line.trim());
    else items.push([line.trim()]);
  }
  return items.map((lines) => lines.join("\n").trim());
}

function readScalar(text: string, shape: Shape): Json {
  const bare = unwrapCodeSpan(text);
  if (shape.options.includes(bare)) return bare;
  if (bare !== text) return readScalar(bare, shape);
  if (!/^["[{\-0-9tfn]/.test(text)) return text;
  const tree = parseJsonTree(text);
  if (!tree.ok) return text;
  if (typeof tree.value === "string" && shape.options.includes(unwrapCodeSpan(tree.value))) {
    return unwrapCodeSpan(tree.value);
  }
  // A quoted text is read as text; other JSON only if the schema accepts it.
  return typeof tree.value === "string" || isAcceptedKind(shape, getValueKind(tree.value)) ? tree.value : text;
}

/** Unwraps a single code span. Several spans in a row are text that contains code. */
function unwrapCodeSpan(text: string): string {
  return /^`[^`]+`$/.test(text) ? text.slice(1, -1) : text;
}

function getValueKind(value: Json): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // The cast is true: text is handled before, and JSON contains no functions or symbols.
  return typeof value as "number" | "boolean" | "object";
}

function isAcceptedKind(shape: Shape, kind: Kind): boolean {
  return shape.kinds.has(kind) || shape.kinds.has("any");
}

function isTextAccepted(shape: Shape): boolean {
  return isAcceptedKind(shape, "string");
}

function isPlain(text: string): boolean {
  if (text === "" || text !== text.trim() || /^["[{`\-0-9]|^(?:true|false|null)$/i.test(text)) return false;
  return !NOTHING.test(text) && !/\p{Cc}/u.test(text);
}

function isBullet(line: string): boolean {
  return /^\s*[-*+](?:\s|$)/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
