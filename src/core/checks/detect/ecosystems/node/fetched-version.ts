import type { ProjectFiles } from "../../detected.ts";

/**
 * Which version of a package manager is fetched where it is not here: the very one that the package names, because
 * another one would fetch that at every call; of a range its first number; otherwise one that reads the lock file.
 */
export function fetchedVersion(name: string, asked: string, project: ProjectFiles): string {
  if (/^\d+\.\d+\.\d[\w.-]*$/.test(asked)) return asked;
  const major = /\d+/.exec(asked)?.[0];
  if (major !== undefined) return major;
  if (name === "pnpm") return pnpmVersion(project);
  return name === "yarn" ? yarnVersion(project) : "1";
}

/** The form of its lock file, and a setting that older ones do not know. */
function pnpmVersion({ files }: ProjectFiles): string {
  const form = /^lockfileVersion:\s*['"]?(\d+)/m.exec(files.get("pnpm-lock.yaml") ?? "")?.[1] ?? "";
  const known = PNPM_OF_LOCK.get(form);
  if (known !== undefined) return known;
  return /^allowBuilds:/m.test(files.get("pnpm-workspace.yaml") ?? "") ? "11" : "10";
}

const PNPM_OF_LOCK: ReadonlyMap<string, string> = new Map([
  ["5", "7"],
  ["6", "8"],
]);

/** The first one hands over to a newer one that the repository itself brings. */
function yarnVersion({ files, names }: ProjectFiles): string {
  const bringsOwn = /^yarnPath:/m.test(files.get(".yarnrc.yml") ?? "");
  return names.has(".yarnrc.yml") && !bringsOwn ? "4" : "1";
}
