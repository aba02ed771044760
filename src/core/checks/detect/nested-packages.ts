import type { ProjectFiles } from "./detected.ts";
import { findMark } from "./ecosystems/ecosystem.ts";
import { ECOSYSTEMS } from "./ecosystems/index.ts";

export type PackageFolder = { readonly folder: string; readonly files: ProjectFiles };

/** More set-ups would delay every check of every tree. */
const MOST_PACKAGES = 6;
const DEEPEST = 3;
/** Folders of demos or tests, which are not part of the product. */
const ASIDE =
  /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third[_-]party|dist|build|target|out|examples?|samples?|demos?|docs?|documentation|website|site|fixtures?|testdata|(?:[\w-]*[-_])?tests?|spec|__tests__|e2e|bench(?:marks?)?|templates?|scripts|tools|playground|integration[^/]*|fuzz)(?:\/|$)/i;

/**
 * Finds packages that nothing above them covers: the top has no check of their ecosystem, and no folder between is a
 * package of it. A member of a workspace is checked by the workspace.
 */
export function findUncoveredPackages(
  project: ProjectFiles,
  spoken: ReadonlySet<string>,
): {
  readonly packages: readonly PackageFolder[];
  readonly left: readonly string[];
} {
  const folders = new Map<string, readonly string[]>();
  for (const [folder, names] of groupNamesByFolder(project.paths)) {
    const above = [...folders].filter(([other]) => folder.startsWith(`${other}/`)).flatMap(([, known]) => known);
    const fresh = findEcosystems(names).filter((name) => !spoken.has(name) && !above.includes(name));
    if (fresh.length > 0) folders.set(folder, fresh);
  }
  const all = [...folders.keys()];
  const more = all.slice(MOST_PACKAGES);
  const left =
    more.length === 0 ? [] : [`${more.length} more packages have checks of their own: ${formatShortList(more)}`];
  const packages = all.slice(0, MOST_PACKAGES).map((folder) => ({ folder, files: narrowProject(folder, project) }));
  return { packages, left };
}

const formatShortList = (folders: readonly string[]): string =>
  folders.length > 8 ? `${folders.slice(0, 8).join(", ")}, …` : folders.join(", ");

const LANGUAGES = ECOSYSTEMS.filter(({ fills }) => !fills);

function findEcosystems(names: ReadonlySet<string>): readonly string[] {
  return LANGUAGES.filter((each) => findMark(each, names) !== undefined).map(({ name }) => name);
}

/** Returns whether packages are searched in this folder. */
export function isSearchedFolder(folder: string): boolean {
  return folder.split("/").length <= DEEPEST && !ASIDE.test(folder);
}

/** Parent folders come before their children. */
function groupNamesByFolder(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of paths) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (folder === "" || !isSearchedFolder(folder)) continue;
    const names = found.get(folder) ?? new Set();
    found.set(folder, names.add(path.slice(folder.length + 1)));
  }
  return new Map([...found].sort(([a], [b]) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1)));
}

function narrowProject(folder: string, { files, paths, missing }: ProjectFiles): ProjectFiles {
  const listInside = (path: string): readonly string[] =>
    path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
  const own = paths.flatMap(listInside);
  return {
    files: new Map([...files].flatMap(([path, text]) => listInside(path).map((each) => [each, text] as const))),
    names: new Set(own.map((path) => path.split("/")[0] ?? "")),
    paths: own,
    missing,
  };
}
