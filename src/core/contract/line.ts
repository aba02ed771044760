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
export function lineBlocks({ text, nonce }: Search): readonly Block[] {
  const lines = linesOf(text).filter((line) => !isBlank(line.text));
  const last = lines.at(-1);
  const found = last && contractOf(last.text, nonce);
  if (!found) return [];
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
  const { line, message } = value as { readonly line?: Json; readonly message?: Json };
  const text = `${line ?? ""}[${nonce}]: ${String(message ?? "").replace(/\s+/g, " ")}`.trimEnd();
  return signature === undefined ? text : `${SIGNATURE}${signature}\n${text}`;
}

function contractOf(line: string, nonce: string): Block | undefined {
  const [, word, own, message] = CONTRACT.exec(line) ?? [];
  if (word === undefined || message === undefined || own !== nonce) return undefined;
  const large = tooLarge(line);
  if (large) return { text: line, problems: [large] };
  return { text: line.trimEnd(), fields: { line: word, message: message.trim() }, problems: [] };
}
