import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { type BrokenFile, brokenBehind, loadModules, type OwnModules } from "../trust/own-modules.ts";
import type { TrustedFolder } from "../trust/pipeline-modules.ts";
import { requireDeclared } from "./declared-phases.ts";

export type PipelineSource = { readonly pipeline: Pipeline; readonly from: string };

export type Registry = {
  /** Those that were read: all, or the one that was asked for and the repository's own. */
  readonly all: readonly PipelineSource[];
  find(name: string): Pipeline | undefined;
  /** Throws with the closest name when there is none. */
  get(name: string): Pipeline;
  /** Files of the repository that cannot be used. */
  readonly broken: readonly BrokenFile[];
};

/** All of them, or only those of the given names. */
export async function builtInPipelines(names = Object.keys(BUILT_IN)): Promise<readonly PipelineSource[]> {
  const pipelines = await Promise.all(names.flatMap((name) => BUILT_IN[name]?.() ?? []));
  return pipelines.map((pipeline) => ({ pipeline, from: "built in" }));
}

/** Runs the files: call it only when a person trusts them. */
export async function ownPipelines(
  trusted: TrustedFolder,
  files: readonly string[],
): Promise<OwnModules<PipelineSource>> {
  return loadModules(trusted, files, ({ file, text, exports }) => {
    const pipelines = exports.filter(isPipeline);
    const path = `${trusted.name}/${file}`;
    if (pipelines.length === 0) throw noPipeline(path);
    requireDeclared({ path, text, pipelines });
    return pipelines.map((pipeline) => ({ pipeline, from: path }));
  });
}

/** A repository's own pipeline takes the place of a built-in one of the same name. */
export function registryOf(known: readonly PipelineSource[], broken: readonly BrokenFile[] = []): Registry {
  const byName = new Map(known.map((each) => [each.pipeline.name, each]));
  const find = (name: string): Pipeline | undefined => byName.get(name)?.pipeline;
  return {
    all: [...byName.values()],
    broken,
    find,
    get(name) {
      // Also where a built-in one has the name: it was meant to take its place.
      const unusable = brokenBehind(name, broken);
      if (unusable) throw unusable;
      const found = find(name);
      if (found) return found;
      const names = [...new Set([...Object.keys(BUILT_IN), ...byName.keys()])];
      const close = nearest(name, names);
      throw new SignalboxError(
        "PIPELINE_UNKNOWN",
        `There is no pipeline "${name}".${close ? ` Did you mean "${close}"?` : ""}`,
        `Known here: ${names.join(", ")}.${unreadText(broken)} See \`signalbox pipelines list\`.`,
      );
    },
  };
}

function unreadText(broken: readonly BrokenFile[]): string {
  return broken.length === 0 ? "" : ` Not usable: ${broken.map(({ path }) => path).join(", ")}.`;
}

function isPipeline(value: unknown): value is Pipeline {
  return typeof value === "object" && value !== null && "body" in value && "phases" in value && "dialect" in value;
}

function noPipeline(path: string): SignalboxError {
  return new SignalboxError("PIPELINE_INVALID", `${path} exports no pipeline.`, "Export what definePipeline returns.");
}
