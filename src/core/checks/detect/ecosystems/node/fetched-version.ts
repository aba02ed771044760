import type { ProjectFiles } from "../../detected.ts";

/**
 * Selects the version of a package manager to fetch if it is missing: the version that the package names, because any
 * other one would fetch that on every call; the first number of a range; otherwise one that reads the lock file.
 */
export function selectFetchedVersion(name: string, asked: string, project: ProjectFiles): string {
  if (/^\d+\.\d+\.\d[\w.-]*$/.test(asked)) return asked;
  const major = /\d+/.exec(asked)?.[0];
  if (major !== undefined) return major;
  if (name === "pnpm") return selectPnpmVersion(project);
  return name === "yarn" ? selectYarnVersion(project) : "1";
}

/** Derived from the form of the lock file, and a setting that older versions do not know. */
function selectPnpmVersion({ files }: ProjectFiles): string {
  const form = /^lockfileVersion:\s*['"]?(\d+)/m.exec(files.get("pnpm-lock.yaml") ?? "")?.[1] ?? "";
  const known = PNPM_OF_LOCK.get(form);
  if (known !== undefined) return known;
  return /^allowBuilds:/m.test(files.get("pnpm-workspace.yaml") ?? "") ? "11" : "10";
}

const PNPM_OF_LOCK: ReadonlyMap<string, string> = new Map([
  ["5", "7"],
  ["6", "8"],
]);

/** Version 1 delegates to a newer one if the repository contains it. */
function selectYarnVersion({ files, names }: ProjectFiles): string {
  const bringsOwn = /^yarnPath:/m.test(files.get(".yarnrc.yml") ?? "");
  return names.has(".yarnrc.yml") && !bringsOwn ? "4" : "1";
}
