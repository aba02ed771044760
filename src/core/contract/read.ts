import type { z } from "zod";
import type { Json } from "../json.ts";
import type { Block, Search } from "./block.ts";
import { completionBlocks } from "./completion.ts";
import type { Dialect } from "./dialect.ts";
import { jsonBlocks } from "./json.ts";
import { lineBlocks } from "./line.ts";
import { markdownBlocks } from "./markdown.ts";
import { normalText } from "./normal-text.ts";
import { placeholdersIn } from "./placeholder.ts";
import { type Problem, problemsOf, WHOLE } from "./problem.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { statusBlocks } from "./status.ts";
import { exampleText } from "./template.ts";

export type ContractCode =
  | "contract_missing"
  | "contract_ambiguous"
  | "contract_invalid"
  | "contract_placeholder"
  | "signature_missing"
  | "signature_mismatch";

export type ContractRefusal = {
  readonly ok: false;
  readonly code: ContractCode;
  readonly message: string;
  readonly problems: readonly Problem[];
};
export type ContractReading = { readonly ok: true; readonly value: Json } | ContractRefusal;

export type ContractToRead = {
  readonly dialect: Dialect;
  /** The agent's final message, or the output file that it declared. */
  readonly text: string;
  readonly nonce: string;
  readonly schema: z.ZodType;
  /** What a signed role must return. It appears in no answer of this module. */
  readonly signature?: string;
};

const FINDERS: Readonly<Record<Dialect, (search: Search) => readonly Block[]>> = {
  markdown: markdownBlocks,
  json: jsonBlocks,
  completion: completionBlocks,
  line: lineBlocks,
  status: statusBlocks,
};

/**
 * The one contract of a final message, or why there is none.
 *
 * Contract: a block without the nonce is a quotation; the first defect in the order missing, ambiguous, echo of the
 * example, invalid, signature, placeholder decides; time grows linearly with the text.
 */
export function readContract({ dialect, text, nonce, schema, signature }: ContractToRead): ContractReading {
  const shape = shapeOf(schema);
  const normal = normalText(text);
  // Most texts without a contract do not even mention the nonce, and an empty nonce would fit everything.
  if (nonce === "" || !normal.includes(nonce)) return missing(dialect);
  const [block, second] = FINDERS[dialect]({ text: normal, nonce, shape });
  if (!block) return missing(dialect);
  if (second) return ambiguous();
  if (isEcho({ block, dialect, shape, nonce, signed: signature !== undefined })) return echo();
  if (block.problems.length > 0) return invalid(block.problems);
  const parsed = schema.safeParse(block.fields);
  if (!parsed.success) return invalid(problemsOf(parsed.error, block.fields));
  const unsigned = signature === undefined ? undefined : signatureRefusal(block.signature, signature);
  if (unsigned) return unsigned;
  const empty = placeholdersIn(block.fields ?? null, shape);
  // Contracts are recorded as JSON; the journal refuses a role whose schema makes anything else of them.
  return empty.length > 0 ? placeholder(empty) : { ok: true, value: parsed.data as Json };
}

function isEcho(seen: { block: Block; dialect: Dialect; shape: Shape; nonce: string; signed: boolean }): boolean {
  const example = exampleText(seen);
  return example.includes("<") && squeezed(example) === squeezed(seen.block.text);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function missing(dialect: Dialect): ContractRefusal {
  const problem = { field: WHOLE, expected: `one ${dialect} contract with the dispatch's nonce`, found: "none" };
  return refusal("contract_missing", "The final message has no contract with this dispatch's nonce.", [problem]);
}

function ambiguous(): ContractRefusal {
  const problem = { field: WHOLE, expected: "one contract with the dispatch's nonce", found: "more than one" };
  return refusal("contract_ambiguous", "The final message has more than one contract with this dispatch's nonce.", [
    problem,
  ]);
}

function echo(): ContractRefusal {
  const problem = { field: WHOLE, expected: "an answer", found: "the example of the prompt" };
  return refusal("contract_placeholder", "The contract is the prompt's own example, given back unchanged.", [problem]);
}

function placeholder(problems: readonly Problem[]): ContractRefusal {
  return refusal("contract_placeholder", `The contract says nothing: ${told(problems)}`, problems);
}

function invalid(problems: readonly Problem[]): ContractRefusal {
  return refusal("contract_invalid", `The contract does not fit: ${told(problems)}`, problems);
}

/** What was found is only described: in backticks, even a wrong answer would carry the right value into a hint. */
function signatureRefusal(seen: string | undefined, expected: string): ContractRefusal | undefined {
  if (seen === expected) return undefined;
  const field = "Agent Signature";
  const wanted = "the SIGNED_VALUE of the agent's own definition";
  if (seen === undefined || seen === "") {
    const problem = { field, expected: wanted, found: "nothing" };
    return refusal("signature_missing", "The contract has no Agent Signature.", [problem]);
  }
  const found = seen.includes("`") ? "a value in backticks" : "another value";
  return refusal("signature_mismatch", `The contract's Agent Signature is ${found}.`, [
    { field, expected: wanted, found },
  ]);
}

function told(problems: readonly Problem[]): string {
  const first = problems
    .slice(0, 3)
    .map(({ field, expected, found }) => `${field} should be ${expected}, found ${found}`);
  return `${first.join("; ")}${problems.length > 3 ? `; and ${problems.length - 3} more` : ""}.`;
}

function refusal(code: ContractCode, message: string, problems: readonly Problem[]): ContractRefusal {
  return { ok: false, code, message, problems };
}
