import { type Block, ENOUGH_BLOCKS, type Search } from "../block.ts";
import { isBlank, isIndented, type Line, splitFencedLines } from "./fenced-lines.ts";
import { parseYamlBlock } from "./yaml.ts";

const NONCE = /^(?:["'`]|\*\*)?nonce(?:["'`]|\*\*)?[ \t]*:/;

/** Finds mappings with a top-level `nonce`: in a fence, or as bare lines that look like YAML. */
export function findStatusBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const blocks: Block[] = [];
  for (const stretch of splitMappings(splitFencedLines(text))) {
    const own = stretch.some((line) => NONCE.test(line));
    const block = own ? parseYamlBlock(stretch.join("\n").trimEnd(), { nonce, shape }) : undefined;
    if (block) blocks.push(block);
    if (blocks.length === ENOUGH_BLOCKS) break;
  }
  return blocks;
}

function splitMappings(lines: readonly Line[]): readonly (readonly string[])[] {
  const stretches: string[][] = [];
  let here: string[] = [];
  let hasNonce = false;
  for (const line of lines) {
    const own = NONCE.test(line.text);
    // A second nonce starts a second mapping. It is not a duplicate key of the first.
    if (isSeparator(line) || (own && hasNonce) || (here.at(-1) === "" && isNewTopLevel(line))) {
      stretches.push(here);
      here = [];
      hasNonce = false;
    }
    if (isSeparator(line)) continue;
    hasNonce ||= own;
    here.push(isBlank(line.text) ? "" : line.text);
  }
  return [...stretches, here];
}

/** Outside a fence a blank line ends the mapping, unless an indented line continues it. */
function isNewTopLevel({ text, inside }: Line): boolean {
  return !inside && !isBlank(text) && !isIndented(text);
}

function isSeparator(line: Line): boolean {
  if (line.fence || line.text.startsWith("---") || line.text.startsWith("...")) return true;
  return isNewTopLevel(line) && !/^(?:(?:["'`]|\*\*)?[A-Za-z_][\w-]*(?:["'`]|\*\*)?[ \t]*:|- |#)/.test(line.text);
}
