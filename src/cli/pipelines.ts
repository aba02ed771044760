import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SignalboxError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import type { Pipeline } from "../core/pipeline.ts";
import { guardModules, requireNoLink, type TrustedFolder } from "./pipeline-modules.ts";

export type Known = { readonly pipeline: Pipeline; readonly from: string };

export type Registry = {
  readonly all: readonly Known[];
  find(name: string): Pipeline | undefined;
  /** Throws with the closest name when there is none. */
  get(name: string): Pipeline;
};

export async function builtInPipelines(): Promise<readonly Known[]> {
  const { PIPELINES } = await import("../pipelines/index.ts");
  return PIPELINES.map((pipeline) => ({ pipeline, from: "built in" }));
}

export async function ownPipelineFiles(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => /\.(ts|mts|js|mjs)$/.test(name) && !name.endsWith(".d.ts")).sort();
}

/** Runs the files: call it only when a person trusts them. */
export async function ownPipelines(trusted: TrustedFolder, files: readonly string[]): Promise<readonly Known[]> {
  if (files.length === 0) return [];
  guardModules(trusted);
  const found: Known[] = [];
  for (const file of files) {
    requireNoLink(trusted, file);
    const exported: Record<string, unknown> = await load(join(trusted.folder, file));
    const pipelines = Object.values(exported).filter(isPipeline);
    if (pipelines.length === 0) throw noPipeline(file);
    for (const pipeline of new Set(pipelines)) found.push({ pipeline, from: `.signalbox/pipelines/${file}` });
  }
  return found;
}

/** A repository's own pipeline takes the place of a built-in one of the same name. */
export function registryOf(known: readonly Known[]): Registry {
  const byName = new Map(known.map((each) => [each.pipeline.name, each]));
  const find = (name: string): Pipeline | undefined => byName.get(name)?.pipeline;
  return {
    all: [...byName.values()],
    find,
    get(name) {
      const found = find(name);
      if (found) return found;
      const names = [...byName.keys()];
      const close = nearest(name, names);
      throw new SignalboxError(
        "PIPELINE_UNKNOWN",
        `There is no pipeline "${name}".${close ? ` Did you mean "${close}"?` : ""}`,
        `Known here: ${names.join(", ")}. See \`signalbox pipelines list\`.`,
      );
    },
  };
}

async function load(file: string): Promise<Record<string, unknown>> {
  try {
    // A module's exports are an object by definition.
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new SignalboxError(
      "PIPELINE_INVALID",
      `${file} cannot be loaded: ${why}`,
      "Correct the file and try again.",
      {
        cause: error,
      },
    );
  }
}

function isPipeline(value: unknown): value is Pipeline {
  return typeof value === "object" && value !== null && "body" in value && "phases" in value && "dialect" in value;
}

function noPipeline(file: string): SignalboxError {
  return new SignalboxError(
    "PIPELINE_INVALID",
    `.signalbox/pipelines/${file} exports no pipeline.`,
    "Export what definePipeline returns.",
  );
}
