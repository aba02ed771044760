import type { Change } from "./entry.ts";
import { projects } from "./projects/all.ts";
import type { ProjectName } from "./projects/project.ts";

/** Returns a file of a project with some of its text replaced. A text that does not occur is an error in the entry. */
export function edit(project: ProjectName, path: string, ...turns: readonly (readonly [string, string])[]): Change {
  return { [path]: turns.reduce((text, turn) => turned(text, path, turn), textOf(project, path)) };
}

/** Returns a file of a project with more text at its end. */
export function append(project: ProjectName, path: string, more: string): Change {
  return { [path]: textOf(project, path) + more };
}

/** Returns a file of a project at another path. */
export function move(project: ProjectName, from: string, to: string): Change {
  return { [from]: null, [to]: textOf(project, from) };
}

export const both = (...changes: readonly Change[]): Change => Object.assign({}, ...changes);

export function textOf(project: ProjectName, path: string): string {
  const text = projects[project].files[path];
  if (text === undefined) throw new Error(`${project} has no ${path}`);
  return text;
}

function turned(text: string, path: string, [from, to]: readonly [string, string]): string {
  if (!text.includes(from)) throw new Error(`${path} does not hold ${JSON.stringify(from)}`);
  return text.replaceAll(from, () => to);
}
