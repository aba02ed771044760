import type { z } from "zod";
import type { Dialect } from "./dialect.ts";
import { exampleOf } from "./example.ts";
import { WORDS } from "./line.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { writeContract } from "./write.ts";

export type TemplateRequest = {
  readonly dialect: Dialect;
  readonly schema: z.ZodType;
  readonly nonce: string;
  readonly signed: boolean;
};

/** What stands in an example where an agent puts its signature; the value itself is in no prompt. */
const SIGNATURE_EXAMPLE = "SIGNED_VALUE";
const SIGNATURE_RULE = "Return Agent Signature using your own SIGNED_VALUE from your agent markdown.";

const FENCES: Readonly<Record<Exclude<Dialect, "line">, string>> = {
  markdown: "markdown",
  json: "json",
  completion: "yaml",
  status: "yaml",
};

/** The part of a prompt that says how to answer: the exact form with the nonce, every value described. */
export function contractTemplate({ dialect, schema, nonce, signed }: TemplateRequest): string {
  const shape = shapeOf(schema);
  const form = dialect === "line" ? lineForm(shape, nonce) : blockForm({ dialect, shape, nonce, signed });
  return signed ? `${form}\n${SIGNATURE_RULE}` : form;
}

/** The example as one block of its dialect, to recognize an answer that only gives it back. */
export function exampleText(request: { dialect: Dialect; shape: Shape; nonce: string; signed: boolean }): string {
  const example = exampleOf(request.shape);
  // Only an object has fields to show; any other schema leaves the form empty.
  const value = request.dialect === "json" || (typeof example === "object" && !Array.isArray(example)) ? example : {};
  const { dialect, nonce } = request;
  return writeContract({ dialect, value, nonce, ...(request.signed ? { signature: SIGNATURE_EXAMPLE } : {}) });
}

function blockForm(request: {
  dialect: Exclude<Dialect, "line">;
  shape: Shape;
  nonce: string;
  signed: boolean;
}): string {
  return [
    "End your final message with this contract, once. Keep its form and its nonce; replace what stands in angle",
    "brackets, and where options are separated by | give one of them.",
    "",
    `\`\`\`${FENCES[request.dialect]}`,
    exampleText(request),
    "```",
  ].join("\n");
}

function lineForm(shape: Shape, nonce: string): string {
  const fields = shape.fields();
  const options = fields.get("line")?.shape.options ?? [];
  const words = options.length > 0 ? WORDS.filter((word) => options.includes(word)) : WORDS;
  const message = fields.get("message")?.shape.description ?? "one sentence";
  return [
    "The last line of your final message is one of these, with nothing behind it:",
    "",
    ...words.map((word) => `    ${word}[${nonce}]: <${message}>`),
  ].join("\n");
}
