import type { Json } from "../../text/json.ts";
import { type Block, ENOUGH_BLOCKS, type Search } from "../block.ts";
import { isBlank, isIndented } from "./fenced-lines.ts";
import { mergePayload } from "./payload.ts";
import { parseYamlBlock, writeYamlContract } from "./yaml.ts";

/**
 * Finds `completion:` at the start of a line with the indented lines below it. The form is the same inside a fence, in
 * a bare answer and after other top-level keys, so fences are not parsed.
 */
export function findCompletionBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length && blocks.length < ENOUGH_BLOCKS; at += 1) {
    if (!/^completion:(?:\s|$)/.test(lines[at] ?? "")) continue;
    const end = endOf(lines, at + 1);
    const block = parseYamlBlock(lines.slice(at, end).join("\n").trimEnd(), { nonce, shape }, "completion");
    if (block) blocks.push(mergePayload(block, { before: lines.slice(0, at), after: lines.slice(end), shape }));
    at = end - 1;
  }
  return blocks;
}

export function writeCompletion(fields: Json, nonce: string, signature: string | undefined): string {
  // No scalar of `yamlText` spans lines, so indenting them changes only the structure.
  return ["completion:", ...writeYamlContract(fields, nonce, signature).split("\n")].join("\n  ");
}

function endOf(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!isBlank(line) && !isIndented(line)) return at;
  }
  return lines.length;
}
