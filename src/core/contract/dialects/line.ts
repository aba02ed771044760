import type { Json } from "../json.ts";
import { type Block, ENOUGH_BLOCKS, type Search, tooLarge } from "./block.ts";
import { isBlank, linesOf } from "./lines.ts";

export const WORDS = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
const CONTRACT = new RegExp(`^(${WORDS.join("|")})\\[([^\\]]*)\\]:(.*)$`, "s");
const SIGNATURE = "Agent Signature: ";

/**
 * The last line that is not blank. The same words above it are quoted output, unless a line outside every fence
 * repeats the nonce too: then nobody can say which of them is meant.
 */
export function lineBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const lines = linesOf(text).filter((line) => !isBlank(line.text));
  const last = lines.at(-1);
  const line = last && contractOf(last.text, nonce);
  if (!line) return [];
  const found = shape.fields().has("above") ? withAbove(line, text) : line;
  const signature = lines.at(-2)?.text.trimEnd();
  const block: Block = {
    ...found,
    ...(signature?.startsWith(SIGNATURE) ? { signature: signature.slice(SIGNATURE.length) } : {}),
  };
  const others = lines.slice(0, -1).filter((line) => !line.inside && contractOf(line.text, nonce));
  return [...others.map(() => block), block].slice(-ENOUGH_BLOCKS);
}

export function lineText(value: Json, nonce: string, signature: string | undefined): string {
  // The writer hands in an object; absent members become empty text.
  const { line, message, above } = value as { readonly [key in "line" | "message" | "above"]?: Json };
  const before = typeof above === "string" && above !== "" ? `${above}\n\n` : "";
  const text = `${line ?? ""}[${nonce}]: ${String(message ?? "").replace(/\s+/g, " ")}`.trimEnd();
  return before + (signature === undefined ? text : `${SIGNATURE}${signature}\n${text}`);
}

const ABOVE_LIMIT = 4_000;

/** For roles that say more than their line: the end of what stands above it. */
function withAbove(block: Block, text: string): Block {
  const above = text.trimEnd().slice(0, -block.text.length).trim().slice(-ABOVE_LIMIT);
  if (above === "" || block.fields === undefined) return block;
  // Fields of a line are an object.
  return { ...block, fields: { ...(block.fields as object), above } };
}

function contractOf(line: string, nonce: string): Block | undefined {
  const [, word, own, message] = CONTRACT.exec(line) ?? [];
  if (word === undefined || message === undefined || own !== nonce) return undefined;
  const large = tooLarge(line);
  if (large) return { text: line, problems: [large] };
  return { text: line.trimEnd(), fields: { line: word, message: message.trim() }, problems: [] };
}
