import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readInCheckout } from "../../node/checkout-file.ts";
import type { Layer } from "./config-sources.ts";
import type { RepositoryPlaces } from "./repository.ts";

type PolicyValues = Readonly<Record<string, unknown>>;

/**
 * Merges the pipeline's policy file with the configuration, which overrides single settings. Returns undefined if
 * neither sets anything.
 */
export async function policyOf(
  { top }: Pick<RepositoryPlaces, "top">,
  layers: readonly Layer[],
  { name, policy }: Pipeline,
): Promise<unknown> {
  if (!policy) return undefined;
  const file = jsonIn(top, policy.file);
  const said = layers.map(({ config }) => config.pipelines?.[name]?.policy).reverse();
  return [file, ...said].reduce(over, undefined);
}

function jsonIn(top: string, path: string): unknown {
  const read = readInCheckout(top, path);
  if (!read.ok && read.gone) return undefined;
  if (!read.ok) throw unusable(path, `cannot be read: ${read.problem}`);
  try {
    return JSON.parse(read.text);
  } catch (error) {
    throw unusable(path, `is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unusable(path: string, why: string): SignalboxError {
  return new SignalboxError("INPUT_INVALID", `${path} ${why}`, "Fix it; nothing was started.");
}

function over(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isKnobs(below) || !isKnobs(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, over(below[key], above[key])]));
}

const isKnobs = (value: unknown): value is PolicyValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);
