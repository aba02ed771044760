import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import { SignalboxError } from "../core/errors.ts";
import { readYaml } from "../core/outside-yaml.ts";
import type { Pipeline } from "../core/pipeline.ts";

export type InputFlags = { readonly request?: string; readonly input: readonly string[] };

/** What a pipeline is given: the request, then each `--input` in order, later ones winning. */
export async function inputFrom(pipeline: Pipeline, { request, input }: InputFlags): Promise<unknown> {
  const texts: Record<string, unknown> = request === undefined ? {} : { request };
  for (const each of input) Object.assign(texts, each.startsWith("@") ? await fromFile(each.slice(1)) : pair(each));
  if (pipeline.input.safeParse(texts).success) return texts;
  // `--input count=3` is a text until the pipeline wants a number.
  const values = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, parsed(value)]));
  return pipeline.input.safeParse(values).success ? values : texts;
}

function pair(text: string): Record<string, string> {
  const at = text.indexOf("=");
  if (at > 0) return { [text.slice(0, at)]: text.slice(at + 1) };
  throw new SignalboxError("USAGE", `--input "${text}" has no value.`, "Write --input name=value or --input @file.");
}

async function fromFile(file: string): Promise<Record<string, unknown>> {
  const text = await (file === "-" ? textOf(process.stdin) : readFile(file, "utf8")).catch((error: unknown) => {
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  });
  return inputOf(text, file);
}

/** Names and values from the text of a file. */
export function inputOf(text: string, file: string): Record<string, unknown> {
  const read = jsonIn(text) ?? readYaml(text);
  if (!read.ok) throw unreadable(file, read.problem);
  const { value } = read;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new SignalboxError("INPUT_INVALID", `--input @${file} holds no object.`, "Give names and values.");
}

function unreadable(file: string, why: string): SignalboxError {
  return new SignalboxError("INPUT_INVALID", `--input @${file} cannot be read: ${why}`, "Name a JSON or YAML file.");
}

/** Programs hand in JSON of any size, and reading that costs little. */
function jsonIn(text: string): { readonly ok: true; readonly value: unknown } | undefined {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const read = readYaml(value);
  return read.ok ? read.value : value;
}
