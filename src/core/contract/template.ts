import type { z } from "zod";
import type { Dialect } from "./dialect.ts";
import { WORDS } from "./dialects/line.ts";
import { HEADING, SIGNATURE, toFieldTitle } from "./dialects/markdown.ts";
import { indentLines, renderJsonForm, renderJsonMembers } from "./form/json-form.ts";
import { renderMarkdownForm, renderMarkdownNotes } from "./form/markdown-form.ts";
import { renderYamlForm } from "./form/yaml-form.ts";
import { type Shape, shapeOf } from "./shape.ts";

export type TemplateRequest = {
  readonly dialect: Dialect;
  readonly schema: z.ZodType;
  readonly nonce: string;
  readonly signed: boolean;
};

/** Placeholder of a signature in an example. The value itself is only in the definition, at the top of the prompt. */
const SIGNATURE_EXAMPLE = "<the word after SIGNED_VALUE above>";
const SIGNATURE_FORMS: ReadonlySet<string> = new Set([SIGNATURE_EXAMPLE, "SIGNED_VALUE", "<SIGNED_VALUE>"]);
/**
 * @rule R-30 (declaration) Dispatches to Research, Architect, Testing and Review contain the sentence `Return Agent
 *   Signature using your own SIGNED_VALUE from your agent markdown.`; Implement is unsigned; a named agent's definition
 *   without a SIGNED_VALUE is refused before the run.
 */
const SIGNATURE_RULE =
  "Return Agent Signature using your own SIGNED_VALUE from your agent markdown. It is at the top of this prompt; return the bare word after it.";

const FENCES: Readonly<Record<Exclude<Dialect, "line">, string>> = {
  markdown: "markdown",
  json: "json",
  completion: "yaml",
  status: "yaml",
};

/** Renders the part of a prompt that describes the answer: the exact form with the nonce, every value described. */
export function renderContractTemplate({ dialect, schema, nonce, signed }: TemplateRequest): string {
  const shape = shapeOf(schema);
  const form =
    dialect === "line" ? renderLineForm({ shape, nonce, signed }) : renderBlockForm({ dialect, shape, nonce, signed });
  return signed ? `${form}\n\n${SIGNATURE_RULE}` : form;
}

/** Returns whether the signature is the placeholder of the form. An agent that repeats it has not signed yet. */
export const isSignaturePlace = (seen: string): boolean => SIGNATURE_FORMS.has(seen);

type ContractForm = { readonly shape: Shape; readonly nonce: string; readonly signed: boolean };

/** Renders the example as one block of its dialect, to recognize an answer that only repeats it. */
export function renderExample({ dialect, shape, nonce, signed }: ContractForm & { readonly dialect: Dialect }): string {
  const signature = signed ? SIGNATURE_EXAMPLE : undefined;
  if (dialect === "json") return renderJsonExample(shape, nonce, signature);
  if (dialect === "line") return "";
  if (dialect === "markdown") {
    const bullets = [`- Nonce: ${nonce}`, ...renderMarkdownForm(shape, toFieldTitle)];
    return [HEADING, "", ...bullets, ...(signed ? [`- ${SIGNATURE}${SIGNATURE_EXAMPLE}`] : [])].join("\n");
  }
  const lines = [`nonce: ${nonce}`, ...(signed ? [`signature: ${SIGNATURE_EXAMPLE}`] : []), ...renderYamlForm(shape)];
  return dialect === "status" ? lines.join("\n") : ["completion:", ...lines].join("\n  ");
}

function renderJsonExample(shape: Shape, nonce: string, signature: string | undefined): string {
  const members = [
    ["nonce", [JSON.stringify(nonce)], ""] as const,
    ...(signature === undefined ? [] : [["signature", [JSON.stringify(signature)], ""] as const]),
    ["contract", renderJsonForm(shape), ""] as const,
  ];
  return ["{", ...indentLines(renderJsonMembers(members)), "}"].join("\n");
}

const INSTRUCTION =
  "End your final message with this, once: keep the nonce, fill in <…>, choose between |, drop what is optional and does not apply.";
const YAML_HINT = "Several lines or quotes go indented below `key: |`; an empty list is [].";

const HINTS: Readonly<Record<Exclude<Dialect, "line">, string>> = {
  markdown: `${INSTRUCTION} An empty list is: none`,
  json: `${INSTRUCTION} Comments are not part of it.`,
  completion: `${INSTRUCTION} ${YAML_HINT}`,
  status: `${INSTRUCTION} ${YAML_HINT}`,
};

function renderBlockForm(form: ContractForm & { readonly dialect: Exclude<Dialect, "line"> }): string {
  const { dialect, shape } = form;
  // Other dialects have comments instead of these notes.
  const notes = dialect === "markdown" ? renderMarkdownNotes(shape, toFieldTitle) : [];
  return [
    HINTS[dialect],
    "",
    `\`\`\`${FENCES[dialect]}`,
    renderExample(form),
    "```",
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
}

function renderLineForm({ shape, nonce, signed }: ContractForm): string {
  const fields = shape.fields();
  const options = fields.get("line")?.shape.options ?? [];
  const words = options.length > 0 ? WORDS.filter((word) => options.includes(word)) : WORDS;
  const message = fields.get("message")?.shape.description ?? "one sentence";
  return [
    "The last line of your final message is one of these, the nonce in its brackets, with nothing after it:",
    "",
    ...words.map((word) => `    ${word}[${nonce}]: <${message}>`),
    ...(signed ? ["", `The line before it is \`${SIGNATURE}${SIGNATURE_EXAMPLE}\`.`] : []),
  ].join("\n");
}
