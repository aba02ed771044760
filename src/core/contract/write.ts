import { SignalboxError } from "../failure/errors.ts";
import type { Json } from "../text/json.ts";
import type { Dialect } from "./dialect.ts";
import { writeCompletion } from "./dialects/completion.ts";
import { writeJsonContract } from "./dialects/json.ts";
import { writeLineContract } from "./dialects/line.ts";
import { writeMarkdownContract } from "./dialects/markdown.ts";
import { writeYamlContract } from "./dialects/yaml.ts";

export type WriteContractRequest = {
  readonly dialect: Dialect;
  readonly value: Json;
  readonly nonce: string;
  readonly signature?: string;
};

const WRITERS: Readonly<Record<Dialect, (fields: Json, nonce: string, signature: string | undefined) => string>> = {
  markdown: writeMarkdownContract,
  json: writeJsonContract,
  completion: writeCompletion,
  line: writeLineContract,
  status: writeYamlContract,
};

/** Writes the value in the dialect's own form. `readContract` reads an equal value from it. */
export function writeContract({ dialect, value, nonce, signature }: WriteContractRequest): string {
  if (dialect !== "json" && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw new SignalboxError(
      "INPUT_INVALID",
      `A contract in the dialect "${dialect}" consists of fields, but the value to write is ${JSON.stringify(value)}.`,
      "Give the contract as an object, one member for each field.",
    );
  }
  return WRITERS[dialect](value, nonce, signature);
}
