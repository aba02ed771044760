import type { z } from "zod";
import type { Json } from "../text/json.ts";
import { asMeant, contradictionsIn } from "./as-meant.ts";
import type { Block, Search } from "./block.ts";
import type { Dialect } from "./dialect.ts";
import { completionBlocks } from "./dialects/completion.ts";
import { jsonBlocks } from "./dialects/json.ts";
import { lineBlocks } from "./dialects/line.ts";
import { markdownBlocks } from "./dialects/markdown.ts";
import { statusBlocks } from "./dialects/status.ts";
import { normalText } from "./normal-text.ts";
import { placeholdersIn } from "./placeholder.ts";
import { clauseOf, type Problem, problemsOf, WHOLE } from "./problem.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { exampleText, isSignaturePlace } from "./template.ts";
import { unfilledIn } from "./unfilled.ts";

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
  /** Final message of the agent, or the output file that it declared. */
  readonly text: string;
  readonly nonce: string;
  readonly schema: z.ZodType;
  /** Signature that a signed role must return. No result of this module contains it. */
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
 * Reads the one contract of a final message, or returns why there is none.
 * Contract: a block without the nonce is a quotation; the first defect in this order decides: missing, ambiguous, echo
 * of the example, unfilled placeholder, invalid, signature, placeholder text; runs in linear time.
 * @rule A-07 (policy) Exactly one contract with the dispatch's nonce counts: none is missing, two are ambiguous, a
 *   quotation is neither.
 */
export function readContract({ dialect, text, nonce, schema, signature }: ContractToRead): ContractReading {
  const shape = shapeOf(schema);
  const normal = normalText(text);
  // Fast path: most texts without a contract do not mention the nonce. An empty nonce would match everything.
  if (nonce === "" || !normal.includes(nonce)) return missing(dialect, false);
  const [block, second] = FINDERS[dialect]({ text: normal, nonce, shape });
  if (!block) return missing(dialect, true);
  if (second) return ambiguous();
  if (isEcho({ block, dialect, shape, nonce, signed: signature !== undefined })) return echo();
  return block.problems.length > 0 ? invalid(block.problems) : fieldsRead(block, { dialect, schema, signature });
}

type Judged = Pick<ContractToRead, "dialect" | "schema"> & { readonly signature: string | undefined };

function fieldsRead(block: Block, { dialect, schema, signature }: Judged): ContractReading {
  const shape = shapeOf(schema);
  const twice = contradictionsIn(block.fields ?? null, shape);
  if (twice.length > 0) return invalid(twice);
  const fields = block.fields === undefined ? undefined : asMeant(block.fields, shape);
  const unfilled = unfilledIn(fields ?? null, shape, dialect);
  if (unfilled.length > 0) return placeholder(unfilled);
  const parsed = schema.safeParse(fields);
  if (!parsed.success) return invalid(problemsOf(parsed.error, fields));
  const unsigned = signature === undefined ? undefined : signatureRefusal(block.signature, signature);
  if (unsigned) return unsigned;
  const empty = placeholdersIn(fields ?? null, shape);
  // The cast is true: the journal refuses a role whose schema produces anything other than JSON.
  return empty.length > 0 ? placeholder(empty) : { ok: true, value: parsed.data as Json };
}

function isEcho(seen: { block: Block; dialect: Dialect; shape: Shape; nonce: string; signed: boolean }): boolean {
  const example = exampleText(seen);
  return example.includes("<") && squeezed(example) === squeezed(seen.block.text);
}

/** Ignores the comments of the form. */
function squeezed(text: string): string {
  return text
    .replace(/ (?:#|\/\/) .*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Position of the nonce. */
const PLACES: Readonly<Record<Dialect, string>> = {
  markdown: "a section `### Orchestrator Contract` with the bullet `- Nonce: …`",
  json: 'an object that begins a line, with "nonce" and "contract" at its top',
  completion: "`completion:` at the beginning of a line, with `nonce: …` below it",
  line: "a last line such as `DONE[…]: …`, the nonce in the brackets and nothing after it",
  status: "a mapping with `nonce: …` at its top",
};

function missing(dialect: Dialect, mentioned: boolean): ContractRefusal {
  const expected = `one ${dialect} contract with the dispatch's nonce: ${PLACES[dialect]}`;
  if (!mentioned) {
    const message = "The final message has no contract with this dispatch's nonce.";
    return refusal("contract_missing", message, [{ field: WHOLE, expected, found: "none" }]);
  }
  const message = `The final message repeats this dispatch's nonce, but not in the required place: ${PLACES[dialect]}.`;
  return refusal("contract_missing", message, [{ field: WHOLE, expected, found: "the nonce elsewhere" }]);
}

function ambiguous(): ContractRefusal {
  const problem = { field: WHOLE, expected: "one contract with the dispatch's nonce", found: "more than one" };
  return refusal("contract_ambiguous", "The final message has more than one contract with this dispatch's nonce.", [
    problem,
  ]);
}

function echo(): ContractRefusal {
  const problem = { field: WHOLE, expected: "an answer", found: "the form of the prompt" };
  return refusal("contract_placeholder", "The contract repeats the prompt's form unchanged: fill it in.", [problem]);
}

function placeholder(problems: readonly Problem[]): ContractRefusal {
  return refusal("contract_placeholder", `The contract contains only placeholders: ${told(problems)}`, problems);
}

function invalid(problems: readonly Problem[]): ContractRefusal {
  return refusal("contract_invalid", `The contract does not match its schema: ${told(problems)}`, problems);
}

/**
 * Describes the found signature without quoting the right one, so that a hint never contains the value.
 * @rule R-16 (policy) A named agent signs with the value of its own definition, in the exact form; any other
 *   signature is refused.
 */
function signatureRefusal(seen: string | undefined, expected: string): ContractRefusal | undefined {
  if (seen === expected) return undefined;
  const field = "Agent Signature";
  const wanted = "the SIGNED_VALUE of the agent's own definition";
  if (seen === undefined || seen === "") {
    const problem = { field, expected: wanted, found: "nothing" };
    return refusal("signature_missing", "The contract has no Agent Signature.", [problem]);
  }
  if (isSignaturePlace(seen)) return placeholder([{ field, expected: wanted, found: "the placeholder of the form" }]);
  const found = seen.includes("`") ? "a value in backticks" : "another value";
  const message = `The contract's Agent Signature is ${found}; it is the bare SIGNED_VALUE of the agent's own definition, in the form \`Agent Signature: …\`.`;
  return refusal("signature_mismatch", message, [{ field, expected: wanted, found }]);
}

/** More problems are not fixed in one attempt. */
const MOST_TOLD = 30;

function told(problems: readonly Problem[]): string {
  const more = problems.length > MOST_TOLD ? `; and ${problems.length - MOST_TOLD} more` : "";
  return `${problems.slice(0, MOST_TOLD).map(clauseOf).join("; ")}${more}.`;
}

function refusal(code: ContractCode, message: string, problems: readonly Problem[]): ContractRefusal {
  return { ok: false, code, message, problems };
}
