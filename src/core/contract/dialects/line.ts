import type { Json } from "../../text/json.ts";
import { type Block, checkBlockSize, ENOUGH_BLOCKS, type Search } from "../block.ts";
import { isBlank, splitFencedLines } from "./fenced-lines.ts";

export const WORDS = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
const WORD = WORDS.join("|").replaceAll("_", "[_ -]");
const CONTRACT = new RegExp(`^(${WORD}) ?\\[([^\\]]*)\\] ?:(.*)$`, "is");
const MARKS = ["**", "`"] as const;
const SIGNATURE = "Agent Signature: ";

/**
 * Reads the last line that is not blank, also inside a fence that ends the message. Earlier occurrences are quoted
 * output, unless a line outside every fence repeats the nonce too: then the answer is ambiguous.
 */
export function findLineBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const all = splitFencedLines(text).filter((line) => !isBlank(line.text));
  const lines = all.at(-1)?.fence ? all.slice(0, -1) : all;
  const last = lines.at(-1);
  const line = last && parseContractLine(last.text, nonce);
  if (!line) return [];
  const found = shape.fields().has("above") ? addPrecedingText(line, text) : line;
  const signature = lines.at(-2)?.text.trimEnd();
  const block: Block = {
    ...found,
    ...(signature?.startsWith(SIGNATURE) ? { signature: signature.slice(SIGNATURE.length) } : {}),
  };
  const others = lines
    .slice(0, -1)
    .filter((line) => (last.inside || !line.inside) && parseContractLine(line.text, nonce));
  return [...others.map(() => block), block].slice(-ENOUGH_BLOCKS);
}

export function writeLineContract(value: Json, nonce: string, signature: string | undefined): string {
  // The writer passes an object; absent members become empty text.
  const { line, message, above } = value as { readonly [key in "line" | "message" | "above"]?: Json };
  const before = typeof above === "string" && above !== "" ? `${above}\n\n` : "";
  const text = `${line ?? ""}[${nonce}]: ${String(message ?? "").replace(/\s+/g, " ")}`.trimEnd();
  return before + (signature === undefined ? text : `${SIGNATURE}${signature}\n${text}`);
}

const ABOVE_LIMIT = 4_000;

/** Adds the end of the preceding text, for roles whose answer is longer than the line. */
function addPrecedingText(block: Block, text: string): Block {
  const above = text.slice(0, text.lastIndexOf(block.text)).trim().slice(-ABOVE_LIMIT);
  if (above === "" || block.fields === undefined) return block;
  // The cast is true: the fields of a line are an object.
  return { ...block, fields: { ...(block.fields as object), above } };
}

function parseContractLine(line: string, nonce: string): Block | undefined {
  const [, word, own, message] = CONTRACT.exec(removeLineMarks(line)) ?? [];
  if (word === undefined || message === undefined || own !== nonce) return undefined;
  const large = checkBlockSize(line);
  if (large) return { text: line, problems: [large] };
  const fields = { line: word.toUpperCase().replace(/[ -]/g, "_"), message: message.trim() };
  return { text: line.trimEnd(), fields, problems: [] };
}

/** Removes marks around the whole line, or around its start. */
function removeLineMarks(line: string): string {
  const text = line.trimEnd();
  const mark = MARKS.find((each) => text.startsWith(each));
  if (mark === undefined) return text;
  const inner = text.slice(mark.length);
  const close = inner.endsWith(mark) ? inner.lastIndexOf(mark) : inner.indexOf(mark);
  return close < 0 ? text : inner.slice(0, close) + inner.slice(close + mark.length);
}
