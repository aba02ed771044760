import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import { type AgentFile, filesFor } from "./agent-files.ts";
import { strangerTo } from "./agent-sets.ts";
import type { AgentChoice } from "./agents.ts";

/** A part of a definition file, or all of it, that is ignored. */
export type Ignored = { readonly file: string; readonly what: string; readonly because: string };

/** Lists matching files that belong to other pipelines. */
export function ofOtherPipelines(files: readonly AgentFile[], pipeline: string): readonly Ignored[] {
  return files.flatMap((each) => {
    const because = strangerTo(each, pipeline);
    return because === undefined ? [] : [{ file: each.path, what: "all of it", because }];
  });
}

/** Lists further definitions of the same role, which the first one takes precedence over. */
export function comeLater(others: readonly AgentFile[], first: AgentFile): readonly Ignored[] {
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
export function unusedModel(
  { path, model, folder }: AgentFile,
  { configured, fits, choice }: ModelRequest,
): readonly Ignored[] {
  if (model === undefined || fits) return [];
  const reader = choice?.driver.name ?? "this role";
  const because =
    configured === undefined ? `model names in ${folder} do not apply to ${reader}` : `${configured} is configured`;
  return [{ file: path, what: `model: ${model}`, because }];
}

/** Reports front matter keys that are not read. */
export function unreadHead({ path, unread }: AgentFile): readonly Ignored[] {
  if (unread.length === 0) return [];
  const because = "only name, description and model are read; the engine sets the rest";
  return [{ file: path, what: unread.join(", "), because }];
}

/** A definition that no role uses. */
export type UnusedFile = { readonly file: string; readonly because: string };

/**
 * Lists definitions that match no role. Most repositories have agents that are unrelated to our roles; a name close to
 * a role gets a hint.
 */
export function unusedAmong(files: readonly AgentFile[], pipelines: readonly Pipeline[]): readonly UnusedFile[] {
  const all = pipelines.flatMap((pipeline) => pipeline.roles);
  const roles = [...new Set(all.map(({ name }) => name))];
  const used = new Set(all.flatMap((role) => filesFor(files, role)).map(({ path }) => path));
  return files
    .filter(({ path }) => !used.has(path))
    .map(({ path, names }) => {
      const close = names.map((name) => nearest(name, roles)).find((role) => role !== undefined);
      const hint = close === undefined ? "" : `; did you mean ${close}?`;
      return { file: path, because: `no pipeline has a role ${names.map((name) => `"${name}"`).join(" or ")}${hint}` };
    });
}
