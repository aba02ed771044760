import { findDiscoveredPackages, getPackageWord, isPackage } from "../../../core/checks/exam/discovered-packages.ts";
import {
  findPackageUses,
  findVendored,
  type PackageUse,
  selectExamPackages,
  type VendoredPackage,
  withHeaders,
} from "../../../core/checks/exam/vendored.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

type PackageSearch = {
  readonly tree: string;
  readonly paths: readonly string[];
  /** Paths that the other tree does not have, if this is the new one. */
  readonly added?: ReadonlySet<string>;
};

/** Beyond this many, users of packages are not searched. */
const MOST_PACKAGES = 100;
/** Steps from a package to one that uses it. */
const MOST_STEPS = 6;

/** Selects paths in packages of the repository that only tests use. */
export async function findVendoredTests(workspace: Workspace, { tree, paths, added = new Set() }: PackageSearch) {
  const plain = listVendored(paths);
  if (plain.length === 0) return { exam: [], unsure: [] };
  const files = await workspace.files("", tree);
  const changed = plain.map((each) => withHeaders(each, files));
  const asked = new Map(changed.map((each) => [each.root, each]));
  const uses: PackageUse[] = [];
  let next: readonly VendoredPackage[] = changed;
  for (let step = 0; step < MOST_STEPS && next.length > 0; step += 1) {
    const few = asked.size <= MOST_PACKAGES;
    const lines = few ? await workspace.mentions(tree, [...new Set(next.flatMap(({ names }) => names))]) : undefined;
    const found = lines && findPackageUses({ lines, packages: next }, added);
    if (!found) return { exam: [], unsure: paths.filter((path) => findVendored(path)) };
    uses.push(...found);
    next = listVendored(found.flatMap(({ from, by }) => (by === "package" ? [from] : []))).filter(
      ({ root }) => !asked.has(root),
    );
    for (const each of next) asked.set(each.root, each);
  }
  const { exam, unsure } = selectExamPackages(uses);
  const selectWithin = (roots: ReadonlySet<string>) =>
    paths.filter((path) => roots.has(findVendored(path)?.root ?? ""));
  return { exam: selectWithin(exam), unsure: selectWithin(unsure) };
}

function listVendored(paths: readonly string[]): readonly VendoredPackage[] {
  const found = paths.flatMap((path) => findVendored(path) ?? []);
  return [...new Map(found.map((each) => [each.root, each])).values()];
}

/** Selects Python packages that are loaded only because tests are discovered in them. */
export async function findDiscovered(
  workspace: Workspace,
  { tree, paths, added }: PackageSearch,
): Promise<readonly string[]> {
  const packages = paths.filter((path) => isPackage(path) && (added === undefined || added.has(path)));
  if (packages.length === 0) return [];
  const lines = await workspace.mentions(tree, [...new Set(packages.map(getPackageWord))]);
  return lines ? findDiscoveredPackages({ packages, lines, ...(added ? { added } : {}) }) : [];
}
