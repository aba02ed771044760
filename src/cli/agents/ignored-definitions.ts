import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import { type AgentFile, filesFor } from "./agent-files.ts";
import { strangerTo } from "./agent-sets.ts";
import type { AgentChoice } from "./agents.ts";

/** What a file says, or the whole of it, that does not count. */
export type Ignored = { readonly file: string; readonly what: string; readonly because: string };

/** Files that have the role's name and are for the teams of others. */
export function ofOtherPipelines(files: readonly AgentFile[], pipeline: string): readonly Ignored[] {
  return files.flatMap((each) => {
    const because = strangerTo(each, pipeline);
    return because === undefined ? [] : [{ file: each.path, what: "all of it", because }];
  });
}

/** Other definitions of the same role. */
export function comeLater(others: readonly AgentFile[], first: AgentFile): readonly Ignored[] {
  return others.map(({ path }) => {
    return { file: path, what: "all of it", because: `${first.path} is for the same role and comes first` };
  });
}

type Model = { readonly said: string | undefined; readonly fits: boolean; readonly choice: AgentChoice | undefined };

/** A model that was overruled, or that the agent of the role does not know. */
export function unusedModel({ path, model, folder }: AgentFile, { said, fits, choice }: Model): readonly Ignored[] {
  if (model === undefined || fits) return [];
  const reader = choice?.driver.name ?? "nobody";
  const because =
    said === undefined ? `a model's name in ${folder} means nothing to ${reader}` : `${said} was asked for`;
  return [{ file: path, what: `model: ${model}`, because }];
}

/** Keys that nobody reads. */
export function unreadHead({ path, unread }: AgentFile): readonly Ignored[] {
  if (unread.length === 0) return [];
  const because = "only name, description and model are read; the engine sets the rest";
  return [{ file: path, what: unread.join(", "), because }];
}

/** A definition that nobody plays by. */
export type UnusedFile = { readonly file: string; readonly because: string };

/** Most repositories have agents that are no role of ours; one that was meant for a role is worth a hint. */
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
