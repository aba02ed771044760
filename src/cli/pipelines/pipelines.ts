import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import type { TrustedFolder } from "../trust/guard-modules.ts";
import { type BrokenFile, findFileError, loadModules, type OwnModules } from "../trust/own-modules.ts";
import { requireDeclaredPhases } from "./declared-phases.ts";

export type PipelineSource = { readonly pipeline: Pipeline; readonly from: string };

export type PipelineRegistry = {
  /** Loaded pipelines: all, or the requested one and the repository's own. */
  readonly all: readonly PipelineSource[];
  find(name: string): Pipeline | undefined;
  /** Throws and suggests the closest name if there is no such pipeline. */
  get(name: string): Pipeline;
  /** Files of the repository that cannot be used. */
  readonly broken: readonly BrokenFile[];
};

/** Loads all built-in pipelines, or only the given names. */
export async function loadBuiltInPipelines(names = Object.keys(BUILT_IN)): Promise<readonly PipelineSource[]> {
  const pipelines = await Promise.all(names.flatMap((name) => BUILT_IN[name]?.() ?? []));
  return pipelines.map((pipeline) => ({ pipeline, from: "built in" }));
}

/** Executes the files. Call it only for a trusted repository. */
export async function loadOwnPipelines(
  trusted: TrustedFolder,
  files: readonly string[],
): Promise<OwnModules<PipelineSource>> {
  return loadModules(trusted, files, ({ file, text, exports }) => {
    const pipelines = exports.filter(isPipeline);
    const path = `${trusted.name}/${file}`;
    if (pipelines.length === 0) throw createNoPipelineError(path);
    requireDeclaredPhases({ path, text, pipelines });
    return pipelines.map((pipeline) => ({ pipeline, from: path }));
  });
}

/** A pipeline of the repository replaces the built-in one of the same name. */
export function createPipelineRegistry(
  known: readonly PipelineSource[],
  broken: readonly BrokenFile[] = [],
): PipelineRegistry {
  const byName = new Map(known.map((each) => [each.pipeline.name, each]));
  const find = (name: string): Pipeline | undefined => byName.get(name)?.pipeline;
  return {
    all: [...byName.values()],
    broken,
    find,
    get(name) {
      // Checked before built-in pipelines: the broken file was meant to replace one of them.
      const unusable = findFileError(name, broken);
      if (unusable) throw unusable;
      const found = find(name);
      if (found) return found;
      const names = [...new Set([...Object.keys(BUILT_IN), ...byName.keys()])];
      const close = findNearestWord(name, names);
      throw new SignalboxError(
        "PIPELINE_UNKNOWN",
        `Unknown pipeline "${name}".${close ? ` Did you mean "${close}"?` : ""}`,
        `Known pipelines: ${names.join(", ")}.${formatBrokenFiles(broken)} See \`signalbox pipelines list\`.`,
      );
    },
  };
}

function formatBrokenFiles(broken: readonly BrokenFile[]): string {
  return broken.length === 0 ? "" : ` Invalid: ${broken.map(({ path }) => path).join(", ")}.`;
}

function isPipeline(value: unknown): value is Pipeline {
  return typeof value === "object" && value !== null && "body" in value && "phases" in value && "dialect" in value;
}

function createNoPipelineError(path: string): SignalboxError {
  return new SignalboxError("PIPELINE_INVALID", `${path} exports no pipeline.`, "Export the result of definePipeline.");
}
