import { SignalboxError } from "../failure/errors.ts";
import type { Json } from "../text/json.ts";
import type { Dialect } from "./dialect.ts";
import { completionText } from "./dialects/completion.ts";
import { jsonText } from "./dialects/json.ts";
import { lineText } from "./dialects/line.ts";
import { markdownText } from "./dialects/markdown.ts";
import { yamlText } from "./dialects/yaml.ts";

export type ContractToWrite = {
  readonly dialect: Dialect;
  readonly value: Json;
  readonly nonce: string;
  readonly signature?: string;
};

const WRITERS: Readonly<Record<Dialect, (fields: Json, nonce: string, signature: string | undefined) => string>> = {
  markdown: markdownText,
  json: jsonText,
  completion: completionText,
  line: lineText,
  status: yamlText,
};

/** Writes the value in the dialect's own form. `readContract` reads an equal value from it. */
export function writeContract({ dialect, value, nonce, signature }: ContractToWrite): string {
  if (dialect !== "json" && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw new SignalboxError(
      "INPUT_INVALID",
      `A contract in the dialect "${dialect}" consists of fields, but the value to write is ${JSON.stringify(value)}.`,
      "Give the contract as an object, one member for each field.",
    );
  }
  return WRITERS[dialect](value, nonce, signature);
}
