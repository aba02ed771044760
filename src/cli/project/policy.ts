import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readInCheckout } from "../../node/checkout-file.ts";
import type { ConfigLayer } from "./config-sources.ts";
import type { RepositoryPlaces } from "./repository.ts";

type PolicyValues = Readonly<Record<string, unknown>>;

/**
 * Merges the pipeline's policy file with the configuration, which overrides single settings. Returns undefined if
 * neither sets anything.
 */
export async function mergePolicy(
  { top }: Pick<RepositoryPlaces, "top">,
  layers: readonly ConfigLayer[],
  { name, policy }: Pipeline,
): Promise<unknown> {
  if (!policy) return undefined;
  const file = readPolicyFile(top, policy.file);
  const configured = layers.map(({ config }) => config.pipelines?.[name]?.policy).reverse();
  return [file, ...configured].reduce(mergeValues, undefined);
}

function readPolicyFile(top: string, path: string): unknown {
  const read = readInCheckout(top, path);
  if (!read.ok && read.gone) return undefined;
  if (!read.ok) throw createPolicyFileError(path, `cannot be read: ${read.problem}`);
  try {
    return JSON.parse(read.text);
  } catch (error) {
    throw createPolicyFileError(path, `is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function createPolicyFileError(path: string, why: string): SignalboxError {
  return new SignalboxError("INPUT_INVALID", `${path} ${why}`, "Fix it; nothing was started.");
}

function mergeValues(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isPolicyValues(below) || !isPolicyValues(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, mergeValues(below[key], above[key])]));
}

const isPolicyValues = (value: unknown): value is PolicyValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);
