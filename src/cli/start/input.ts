import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { readYaml } from "../../core/text/outside-yaml.ts";

/** Size limit of a request with its inputs. */
const MOST_BYTES = 64 * 1024 * 1024;

export type InputFlags = { readonly request?: string; readonly input: readonly string[] };

/** Assembles a pipeline's input: the request, then each `--input` in order; later ones win. */
export async function assembleInput(pipeline: Pipeline, { request, input }: InputFlags): Promise<unknown> {
  const texts: Record<string, unknown> = request === undefined ? {} : { request: await readRequest(request) };
  for (const each of input)
    Object.assign(texts, each.startsWith("@") ? await readInputFile(each.slice(1)) : await parsePair(each));
  requireKnownNames(pipeline, Object.keys(texts));
  if (pipeline.input.safeParse(texts).success) return texts;
  // `--input count=3` is a string unless the pipeline expects a number.
  const values = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, parseScalar(value)]));
  return pipeline.input.safeParse(values).success ? values : texts;
}

/** `-` reads standard input. */
async function readRequest(value: string): Promise<string> {
  if (value !== "-") return value;
  const text = (await readInputText("-")).trim();
  if (text !== "") return text;
  throw new SignalboxError(
    "USAGE",
    "`-` reads the request from standard input, which was empty.",
    "Pipe the request in, or pass it as an argument.",
  );
}

/** Parses `name=value`. `name=@file` reads a file, `name=@-` standard input, and `name=@@x` is the value `@x`. */
async function parsePair(text: string): Promise<Record<string, string>> {
  const at = text.indexOf("=");
  if (at <= 0)
    throw new SignalboxError(
      "USAGE",
      `--input "${text}" has no value.`,
      "Use --input name=value, name=@file or @file.",
    );
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (value.startsWith("@@")) return { [name]: value.slice(1) };
  return { [name]: value.startsWith("@") && value.length > 1 ? await readInputText(value.slice(1)) : value };
}

/** Rejects unknown names, which would be dropped silently. */
function requireKnownNames(pipeline: Pipeline, names: readonly string[]): void {
  // Names are known only if zod describes the schema as an object.
  const { properties, additionalProperties } = z.toJSONSchema(pipeline.input, { unrepresentable: "any", io: "input" });
  if (!properties || (additionalProperties !== undefined && additionalProperties !== false)) return;
  const known = Object.keys(properties);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const close = findNearestWord(unknown, known);
  throw new SignalboxError(
    "INPUT_INVALID",
    `${pipeline.name} has no input "${unknown}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Inputs: ${known.join(", ")}. See \`signalbox pipelines show ${pipeline.name}\`.`,
  );
}

async function readInputFile(file: string): Promise<Record<string, unknown>> {
  return parseInputText(await readInputText(file), file);
}

async function readInputText(file: string): Promise<string> {
  return readStream(file === "-" ? process.stdin : createReadStream(file)).catch((error: unknown) => {
    throw createUnreadableError(file, error instanceof Error ? error.message : String(error));
  });
}

/** Reads pipes and devices as well, which have no size; an endless source stops at the limit. */
async function readStream(source: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let left = MOST_BYTES;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    left -= bytes.length;
    if (left < 0) throw new Error(`it is larger than ${MOST_BYTES / 1024 ** 2} MiB`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Parses names and values from a file. */
export function parseInputText(text: string, file: string): Record<string, unknown> {
  const read = tryJson(text) ?? readYaml(text);
  if (!read.ok) throw createUnreadableError(file, read.problem);
  const { value } = read;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new SignalboxError("INPUT_INVALID", `--input @${file} is not an object.`, "Use a mapping of names to values.");
}

function createUnreadableError(file: string, why: string): SignalboxError {
  return new SignalboxError("INPUT_INVALID", `--input @${file} cannot be read: ${why}`, "Use a JSON or YAML file.");
}

/** JSON is tried first because programs pass large JSON, which parses faster than YAML. */
function tryJson(text: string): { readonly ok: true; readonly value: unknown } | undefined {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function parseScalar(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const read = readYaml(value);
  return read.ok ? read.value : value;
}
