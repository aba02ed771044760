import { z } from "zod";
import type { ProjectFiles } from "../../detected.ts";
import { type PackageFile, parsePackageFile } from "../package-file.ts";
import type { PackageManager } from "./package-manager.ts";

/** Returns whether packages of the workspace are in folders below the top. */
export function isSpread({ workspaces }: PackageFile, names: ReadonlySet<string>): boolean {
  return workspaces !== undefined || names.has("pnpm-workspace.yaml") || names.has("lerna.json");
}

export type Member = { readonly name: string; readonly scripts: Readonly<Record<string, unknown>> };

const Patterns = z.union([
  z.array(z.string()),
  z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages),
]);

/** Lists the packages of the workspace whose manifests are available. */
export function listWorkspaceMembers(found: PackageFile, { files, names }: ProjectFiles): readonly Member[] {
  if (!isSpread(found, names)) return [];
  const patterns = Patterns.safeParse(found.workspaces).data ?? parsePnpmPackages(files.get("pnpm-workspace.yaml"));
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith("/package.json") || !isMember(path.slice(0, -"/package.json".length), patterns)) return [];
    const member = parsePackageFile(text);
    return member?.name === undefined ? [] : [{ name: member.name, scripts: member.scripts ?? {} }];
  });
}

/** Returns the line that starts a script in all members that have it; undefined if this manager has no such line. */
export function formatWorkspaceScript(
  script: string,
  { name, before, modern }: PackageManager,
  members: readonly Member[],
): string | undefined {
  const having = members.filter(({ scripts }) => Object.hasOwn(scripts, script));
  if (having.length === 0) return undefined;
  const each = having.map((member) => `yarn workspace ${member.name} run ${script}`).join(" && ");
  const lines = {
    npm: `npm run ${script} --workspaces --if-present`,
    pnpm: `pnpm -r --if-present run ${script}`,
    bun: `bun run --filter '*' ${script}`,
    yarn: modern ? `yarn workspaces foreach -A run ${script}` : each,
  };
  return `${before}${lines[name]}`;
}

/** Reads `packages:` of pnpm-workspace.yaml. */
function parsePnpmPackages(text: string | undefined): readonly string[] {
  const [, list = ""] = /^packages:\s*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(text ?? "") ?? [];
  const found = [...list.matchAll(/^\s*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm)].map(([, pattern = ""]) => pattern);
  return found.length > 0 ? found : ["**"];
}

function isMember(folder: string, patterns: readonly string[]): boolean {
  const some = (list: readonly string[]) => list.some((pattern) => toWorkspacePattern(pattern).test(folder));
  const without = patterns.flatMap((pattern) => (pattern.startsWith("!") ? [pattern.slice(1)] : []));
  return some(patterns.filter((pattern) => !pattern.startsWith("!"))) && !some(without);
}

function toWorkspacePattern(pattern: string): RegExp {
  const parts = pattern.replace(/^\.\//, "").replace(/\/+$/, "").split("**");
  const escaped = parts.map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*"));
  return new RegExp(`^${escaped.join(".*")}$`);
}
