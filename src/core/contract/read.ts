import type { z } from "zod";
import type { Json } from "../text/json.ts";
import { asMeant, findContradictions } from "./adapt-value.ts";
import type { Block, Search } from "./block.ts";
import type { Dialect } from "./dialect.ts";
import { findCompletionBlocks } from "./dialects/completion.ts";
import { findJsonBlocks } from "./dialects/json.ts";
import { findLineBlocks } from "./dialects/line.ts";
import { findMarkdownBlocks } from "./dialects/markdown.ts";
import { findStatusBlocks } from "./dialects/status.ts";
import { normalizeMessage } from "./normal-text.ts";
import { findPlaceholders } from "./placeholder.ts";
import { formatProblem, type Problem, problemsOf, WHOLE } from "./problem.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { isSignaturePlace, renderExample } from "./template.ts";
import { findUnfilled } from "./unfilled.ts";

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

export type ReadContractRequest = {
  readonly dialect: Dialect;
  /** Final message of the agent, or the output file that it declared. */
  readonly text: string;
  readonly nonce: string;
  readonly schema: z.ZodType;
  /** Signature that a signed role must return. No result of this module contains it. */
  readonly signature?: string;
};

const FINDERS: Readonly<Record<Dialect, (search: Search) => readonly Block[]>> = {
  markdown: findMarkdownBlocks,
  json: findJsonBlocks,
  completion: findCompletionBlocks,
  line: findLineBlocks,
  status: findStatusBlocks,
};

/**
 * Reads the one contract of a final message, or returns why there is none.
 * Contract: a block without the nonce is a quotation; the first defect in this order decides: missing, ambiguous, echo
 * of the example, unfilled placeholder, invalid, signature, placeholder text; runs in linear time.
 * @rule A-07 (policy) Exactly one contract with the dispatch's nonce counts: none is missing, two are ambiguous, a
 *   quotation is neither.
 */
export function readContract({ dialect, text, nonce, schema, signature }: ReadContractRequest): ContractReading {
  const shape = shapeOf(schema);
  const normal = normalizeMessage(text);
  // Fast path: most texts without a contract do not mention the nonce. An empty nonce would match everything.
  if (nonce === "" || !normal.includes(nonce)) return refuseMissing(dialect, false);
  const [block, second] = FINDERS[dialect]({ text: normal, nonce, shape });
  if (!block) return refuseMissing(dialect, true);
  if (second) return refuseAmbiguous();
  if (isEcho({ block, dialect, shape, nonce, signed: signature !== undefined })) return refuseEcho();
  return block.problems.length > 0 ? refuseInvalid(block.problems) : judgeFields(block, { dialect, schema, signature });
}

type JudgeOptions = Pick<ReadContractRequest, "dialect" | "schema"> & { readonly signature: string | undefined };

function judgeFields(block: Block, { dialect, schema, signature }: JudgeOptions): ContractReading {
  const shape = shapeOf(schema);
  const twice = findContradictions(block.fields ?? null, shape);
  if (twice.length > 0) return refuseInvalid(twice);
  const fields = block.fields === undefined ? undefined : asMeant(block.fields, shape);
  const unfilled = findUnfilled(fields ?? null, shape, dialect);
  if (unfilled.length > 0) return refusePlaceholder(unfilled);
  const parsed = schema.safeParse(fields);
  if (!parsed.success) return refuseInvalid(problemsOf(parsed.error, fields));
  const unsigned = signature === undefined ? undefined : checkSignature(block.signature, signature);
  if (unsigned) return unsigned;
  const empty = findPlaceholders(fields ?? null, shape);
  // The cast is true: the journal refuses a role whose schema produces anything other than JSON.
  return empty.length > 0 ? refusePlaceholder(empty) : { ok: true, value: parsed.data as Json };
}

function isEcho(seen: { block: Block; dialect: Dialect; shape: Shape; nonce: string; signed: boolean }): boolean {
  const example = renderExample(seen);
  return example.includes("<") && removeFormComments(example) === removeFormComments(seen.block.text);
}

/** Ignores the comments of the form. */
function removeFormComments(text: string): string {
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

function refuseMissing(dialect: Dialect, mentioned: boolean): ContractRefusal {
  const expected = `one ${dialect} contract with the dispatch's nonce: ${PLACES[dialect]}`;
  if (!mentioned) {
    const message = "The final message has no contract with this dispatch's nonce.";
    return createRefusal("contract_missing", message, [{ field: WHOLE, expected, found: "none" }]);
  }
  const message = `The final message repeats this dispatch's nonce, but not in the required place: ${PLACES[dialect]}.`;
  return createRefusal("contract_missing", message, [{ field: WHOLE, expected, found: "the nonce elsewhere" }]);
}

function refuseAmbiguous(): ContractRefusal {
  const problem = { field: WHOLE, expected: "one contract with the dispatch's nonce", found: "more than one" };
  return createRefusal(
    "contract_ambiguous",
    "The final message has more than one contract with this dispatch's nonce.",
    [problem],
  );
}

function refuseEcho(): ContractRefusal {
  const problem = { field: WHOLE, expected: "an answer", found: "the form of the prompt" };
  return createRefusal("contract_placeholder", "The contract repeats the prompt's form unchanged: fill it in.", [
    problem,
  ]);
}

function refusePlaceholder(problems: readonly Problem[]): ContractRefusal {
  return createRefusal(
    "contract_placeholder",
    `The contract contains only placeholders: ${formatProblems(problems)}`,
    problems,
  );
}

function refuseInvalid(problems: readonly Problem[]): ContractRefusal {
  return createRefusal(
    "contract_invalid",
    `The contract does not match its schema: ${formatProblems(problems)}`,
    problems,
  );
}

/**
 * Describes the found signature without quoting the right one, so that a hint never contains the value.
 * @rule R-16 (policy) A named agent signs with the value of its own definition, in the exact form; any other
 *   signature is refused.
 */
function checkSignature(seen: string | undefined, expected: string): ContractRefusal | undefined {
  if (seen === expected) return undefined;
  const field = "Agent Signature";
  const wanted = "the SIGNED_VALUE of the agent's own definition";
  if (seen === undefined || seen === "") {
    const problem = { field, expected: wanted, found: "nothing" };
    return createRefusal("signature_missing", "The contract has no Agent Signature.", [problem]);
  }
  if (isSignaturePlace(seen))
    return refusePlaceholder([{ field, expected: wanted, found: "the placeholder of the form" }]);
  const found = seen.includes("`") ? "a value in backticks" : "another value";
  const message = `The contract's Agent Signature is ${found}; it is the bare SIGNED_VALUE of the agent's own definition, in the form \`Agent Signature: …\`.`;
  return createRefusal("signature_mismatch", message, [{ field, expected: wanted, found }]);
}

/** More problems are not fixed in one attempt. */
const MOST_TOLD = 30;

function formatProblems(problems: readonly Problem[]): string {
  const more = problems.length > MOST_TOLD ? `; and ${problems.length - MOST_TOLD} more` : "";
  return `${problems.slice(0, MOST_TOLD).map(formatProblem).join("; ")}${more}.`;
}

function createRefusal(code: ContractCode, message: string, problems: readonly Problem[]): ContractRefusal {
  return { ok: false, code, message, problems };
}
