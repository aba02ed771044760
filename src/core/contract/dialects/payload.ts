import { findContradictions } from "../adapt-value.ts";
import { type Block, checkBlockSize } from "../block.ts";
import { type Shape, wrapShape } from "../shape.ts";
import { isBlank, isIndented } from "./fenced-lines.ts";
import { getMembers, type Members } from "./members.ts";
import { parseYaml } from "./yaml-tree.ts";

const HEADER = /^agent_output:\s*$/;

/** Field that is short in a completion and long in a report. A difference is not a contradiction. */
const AT_LENGTH = "summary";

type PayloadContext = { readonly before: readonly string[]; readonly after: readonly string[]; readonly shape: Shape };

/**
 * Merges a report that some agents write: `agent_output:` with a `payload:`, followed by `completion:`, which alone has
 * the nonce. If no other line is between them, both are the same answer: fields that the completion omits are taken
 * from the payload, and a field with different values in both is refused.
 */
export function mergePayload(block: Block, { before, after, shape }: PayloadContext): Block {
  const text = findPayloadAbove(before) ?? findPayloadBelow(after);
  if (text === undefined || block.fields === undefined) return block;
  const large = checkBlockSize(text);
  if (large) return { ...block, problems: [large] };
  const tree = parseYaml(text, wrapShape("agent_output", wrapShape("payload", shape)));
  if (!tree.ok) return { ...block, problems: [tree.problem] };
  const payload = getMembers(getMembers(getMembers(tree.value)["agent_output"])["payload"]);
  const said = Object.entries(getMembers(block.fields)).filter(([, value]) => value !== null);
  const { [AT_LENGTH]: _told, ...rest } = payload;
  const both = [
    ...said,
    ...Object.entries(rest).map(([key, value]): [string, Members[string]] => [`**${key}**`, value]),
  ];
  return {
    ...block,
    fields: { ...getMembers(block.fields), ...payload, ...Object.fromEntries(said) },
    problems: findContradictions(Object.fromEntries(both), shape),
  };
}

function findPayloadAbove(lines: readonly string[]): string | undefined {
  let at = lines.length - 1;
  while (at >= 0 && isInside(lines[at] ?? "")) at -= 1;
  return HEADER.test(lines[at] ?? "") ? lines.slice(at).join("\n") : undefined;
}

function findPayloadBelow(lines: readonly string[]): string | undefined {
  if (!HEADER.test(lines[0] ?? "")) return undefined;
  const end = lines.findIndex((line, at) => at > 0 && !isInside(line));
  return lines.slice(0, end < 0 ? lines.length : end).join("\n");
}

const isInside = (line: string): boolean => isBlank(line) || isIndented(line);
