import { classifyPath } from "./exam-path.ts";
import { listPythonModules, type MentionLine } from "./uses/mention.ts";

/** Pairs of a line and a package. */
const MOST_PAIRS = 500_000;
const PACKAGE = /^(.+)\/__init__\.py$/;

/**
 * Returns whether the file is run by an import from its folder, or by unittest, which searches every package for tests.
 */
export function isPackage(path: string): boolean {
  return PACKAGE.test(path) && ["code", "support"].includes(classifyPath(path));
}

/** Returns the word that a line needs to import something from the package. */
export function getPackageWord(path: string): string {
  return getFolder(path).split("/").at(-1) ?? "";
}

type DiscoveryInput = {
  readonly packages: readonly string[];
  readonly lines: readonly MentionLine[];
  /** Files that were added with new packages. Their imports do not count. */
  readonly added?: ReadonlySet<string>;
};

/**
 * Finds packages that nobody imports, so that only test discovery runs them. Files of a package do not count as its
 * users, except tests.
 */
export function findDiscoveredPackages({ packages, lines, added }: DiscoveryInput): readonly string[] {
  const python = lines.filter(({ path }) => path.endsWith(".py") && !added?.has(path));
  // If there are too many pairs to compare, every package may be imported.
  if (python.length * packages.length > MOST_PAIRS) return [];
  return packages.filter((path) => {
    const folder = getFolder(path);
    const isOutside = (from: string) => !from.startsWith(`${folder}/`) || classifyPath(from) !== "code";
    const isImportedLine = (line: MentionLine) =>
      listPythonModules(line.text, line.path).some((module) => isWithin(module, folder)) ||
      // Multi-line imports, and names in texts, which were not added to make the package look used.
      (added === undefined && line.text.split(/\W+/).includes(getPackageWord(path)));
    return !python.some((line) => isOutside(line.path) && isImportedLine(line));
  });
}

/** Folders of sources may precede the package. */
function isWithin(module: string, folder: string): boolean {
  const [said, where] = [module.split("/"), folder.split("/")];
  const most = Math.min(said.length, where.length);
  return Array.from({ length: most }, (_, at) => at + 1).some(
    (size) => said.slice(0, size).join("/") === where.slice(-size).join("/"),
  );
}

function getFolder(path: string): string {
  return PACKAGE.exec(path)?.[1] ?? "";
}
