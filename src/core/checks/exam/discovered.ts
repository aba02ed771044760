import { pathKind } from "./exam-path.ts";
import { type MentionLine, pythonModules } from "./uses/mention.ts";

/** Of a line and a package. */
const MOST_PAIRS = 500_000;
const PACKAGE = /^(.+)\/__init__\.py$/;

/** Run by whoever imports something out of the folder, and by unittest, which looks into every package for tests. */
export function isPackage(path: string): boolean {
  return PACKAGE.test(path) && ["code", "support"].includes(pathKind(path));
}

/** What a line must hold to import something out of the package. */
export function packageWord(path: string): string {
  return folderOf(path).split("/").at(-1) ?? "";
}

type DiscoveryInput = {
  readonly packages: readonly string[];
  readonly lines: readonly MentionLine[];
  /** Where the packages are new, what came with them: what that imports counts for nothing. */
  readonly added?: ReadonlySet<string>;
};

/**
 * Those of the packages that nobody imports, so that looking for tests is all that runs them. What lies in a package is
 * no user of it, unless it is a test.
 */
export function discoveredAmong({ packages, lines, added }: DiscoveryInput): readonly string[] {
  const python = lines.filter(({ path }) => path.endsWith(".py") && !added?.has(path));
  // Where there is too much to be compared, each may be imported.
  if (python.length * packages.length > MOST_PAIRS) return [];
  return packages.filter((path) => {
    const folder = folderOf(path);
    const isOutside = (from: string) => !from.startsWith(`${folder}/`) || pathKind(from) !== "code";
    const imports = (line: MentionLine) =>
      pythonModules(line.text, line.path).some((module) => isWithin(module, folder)) ||
      // Imports over several lines, and names in texts: nobody could have put them there for the package's sake.
      (added === undefined && line.text.split(/\W+/).includes(packageWord(path)));
    return !python.some((line) => isOutside(line.path) && imports(line));
  });
}

/** Folders of sources may stand before the package. */
function isWithin(module: string, folder: string): boolean {
  const [said, where] = [module.split("/"), folder.split("/")];
  const most = Math.min(said.length, where.length);
  return Array.from({ length: most }, (_, at) => at + 1).some(
    (size) => said.slice(0, size).join("/") === where.slice(-size).join("/"),
  );
}

function folderOf(path: string): string {
  return PACKAGE.exec(path)?.[1] ?? "";
}
