import { stringify } from "yaml";
import type { Json } from "../../text/json.ts";
import { type Block, checkBlockSize, type Search } from "../block.ts";
import { unwrapMarks } from "../fold.ts";
import { wrapShape } from "../shape.ts";
import { getMembers } from "./members.ts";
import { parseYaml } from "./yaml-tree.ts";

/** `nonce`, its quotes and colon, and more spaces than occur in practice. */
const LONGEST_KEY = 24;

/** Reads a piece of YAML as a block if its mapping (at `under`, or at the top) repeats the nonce. */
export function parseYamlBlock(
  text: string,
  { nonce, shape }: Omit<Search, "text">,
  under?: string,
): Block | undefined {
  if (!isNonceMentioned(text, nonce)) return undefined;
  const large = checkBlockSize(text);
  if (large) return { text, problems: [large] };
  const tree = parseYaml(text, under === undefined ? shape : wrapShape(under, shape));
  // Unreadable YAML that mentions the nonce cannot be distinguished from the contract, so it counts.
  if (!tree.ok) return { text, problems: [tree.problem] };
  const mapping = under === undefined ? tree.value : getMembers(tree.value)[under];
  const { nonce: own, signature, ...fields } = getMembers(mapping);
  if (typeof own !== "string" || (own !== nonce && unwrapMarks(own) !== nonce)) return undefined;
  return { text, fields, problems: [], ...(signature === undefined ? {} : { signature: String(signature) }) };
}

/** Searches for the nonce after its key, because parsing every quotation of a long message would take seconds. */
function isNonceMentioned(text: string, nonce: string): boolean {
  for (let at = text.indexOf(nonce); at >= 0; at = text.indexOf(nonce, at + nonce.length)) {
    if (/nonce(?:["'`]|\*\*)?[ \t]*:[ \t]*(?:["'`]|\*\*)?$/.test(text.slice(Math.max(0, at - LONGEST_KEY), at)))
      return true;
  }
  return false;
}

/**
 * Writes a mapping that starts with the nonce. Every text is quoted, so that no value becomes a number or a comment.
 */
export function writeYamlContract(fields: Json, nonce: string, signature: string | undefined): string {
  const members = getMembers(fields);
  const lines = [`nonce: ${isWord(nonce) ? nonce : JSON.stringify(nonce)}`];
  if (signature !== undefined) lines.push(`signature: ${JSON.stringify(signature)}`);
  const style = { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", doubleQuotedAsJSON: true } as const;
  const options = { ...style, lineWidth: 0, aliasDuplicateObjects: false };
  if (Object.values(members).some((value) => value !== undefined)) lines.push(stringify(members, options).trimEnd());
  return lines.join("\n");
}

function isWord(text: string): boolean {
  return /^\w[\w-]*$/.test(text);
}
