import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Layer } from "./config-sources.ts";
import type { RepositoryPlaces } from "./repository.ts";

type PolicyValues = Readonly<Record<string, unknown>>;

/** What the pipeline's own file says, knob by knob overruled by the configuration. Undefined where nobody says anything. */
export async function policyOf(
  { top }: Pick<RepositoryPlaces, "top">,
  layers: readonly Layer[],
  { name, policy }: Pipeline,
): Promise<unknown> {
  if (!policy) return undefined;
  const file = await jsonIn(join(top, policy.file), policy.file);
  const said = layers.map(({ config }) => config.pipelines?.[name]?.policy).reverse();
  return [file, ...said].reduce(over, undefined);
}

async function jsonIn(file: string, shown: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SignalboxError(
      "INPUT_INVALID",
      `${shown} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      "Correct it; nothing was started.",
    );
  }
}

function over(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isKnobs(below) || !isKnobs(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, over(below[key], above[key])]));
}

const isKnobs = (value: unknown): value is PolicyValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);
