import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { type AgentFile, selectAgentFiles } from "./agent-files.ts";
import { explainExclusion } from "./agent-sets.ts";
import type { AgentChoice } from "./agents.ts";

/** A part of a definition file, or all of it, that is ignored. */
export type IgnoredDefinition = { readonly file: string; readonly what: string; readonly because: string };

/** Lists matching files that belong to other pipelines. */
export function listForeignDefinitions(files: readonly AgentFile[], pipeline: string): readonly IgnoredDefinition[] {
  return files.flatMap((each) => {
    const because = explainExclusion(each, pipeline);
    return because === undefined ? [] : [{ file: each.path, what: "all of it", because }];
  });
}

/** Lists further definitions of the same role, which the first one takes precedence over. */
export function listOverriddenDefinitions(
  others: readonly AgentFile[],
  first: AgentFile,
): readonly IgnoredDefinition[] {
  return others.map(({ path }) => {
    return { file: path, what: "all of it", because: `${first.path} defines the same role and takes precedence` };
  });
}

type ModelRequest = {
  readonly configured: string | undefined;
  readonly fits: boolean;
  readonly choice: AgentChoice | undefined;
};

/** Reports a model that was overridden, or that the role's agent does not support. */
export function listUnusedModels(
  { path, model, folder }: AgentFile,
  { configured, fits, choice }: ModelRequest,
): readonly IgnoredDefinition[] {
  if (model === undefined || fits) return [];
  const reader = choice?.driver.name ?? "this role";
  const because =
    configured === undefined ? `model names in ${folder} do not apply to ${reader}` : `${configured} is configured`;
  return [{ file: path, what: `model: ${model}`, because }];
}

/** Reports front matter keys that are not read. */
export function listUnreadKeys({ path, unread }: AgentFile): readonly IgnoredDefinition[] {
  if (unread.length === 0) return [];
  const because = "only name, description and model are read; the engine sets the rest";
  return [{ file: path, what: unread.join(", "), because }];
}

/** A definition that no role uses. */
export type UnusedDefinition = { readonly file: string; readonly because: string };

/**
 * Lists definitions that match no role. Most repositories have agents that are unrelated to our roles; a name close to
 * a role gets a hint.
 */
export function listUnusedDefinitions(
  files: readonly AgentFile[],
  pipelines: readonly Pipeline[],
): readonly UnusedDefinition[] {
  const all = pipelines.flatMap((pipeline) => pipeline.roles);
  const roles = [...new Set(all.map(({ name }) => name))];
  const used = new Set(all.flatMap((role) => selectAgentFiles(files, role)).map(({ path }) => path));
  return files
    .filter(({ path }) => !used.has(path))
    .map(({ path, names }) => {
      const close = names.map((name) => findNearestWord(name, roles)).find((role) => role !== undefined);
      const hint = close === undefined ? "" : `; did you mean ${close}?`;
      return { file: path, because: `no pipeline has a role ${names.map((name) => `"${name}"`).join(" or ")}${hint}` };
    });
}
