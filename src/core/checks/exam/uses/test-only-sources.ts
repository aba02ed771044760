import { classifyPath } from "../exam-path.ts";
import { isSource } from "../source-path.ts";
import { isNicknamed, NO_PACKAGES, type OwnPackages } from "./own-packages.ts";
import { type FileUse, isImported, isTestOf } from "./use.ts";

/** Entry points of users, whoever else imports them. */
const ENTRY = /(?:^|\/)(?:cli|app|server|__main__)\.\w+$/;
/** Entry of a folder, and an entry point of users if the folder is a package. */
const FOLDER_ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__)\.\w+$/;
const AT_HOME = /^(?:(?:src|lib|app|sources?|internal|cmd\/[^/]+)\/)?[^/]+$/;

/**
 * Finds sources among the code that may contain expectations of tests: only tests import them, no test is named after
 * them, and one of those tests also imports other changed code. An otherwise unused part of the product looks the same,
 * so they are not certainly exam. A source that imports other changed code belongs to that code. `judges` are those
 * through which a test asserts that is not named after them.
 */
export function findTestOnlySources(
  files: readonly string[],
  uses: readonly FileUse[],
  own: OwnPackages = NO_PACKAGES,
  judges: ReadonlySet<string> = new Set(),
): readonly string[] {
  const imports = uses.filter(isImported);
  return files.filter((path) => {
    if (classifyPath(path) !== "code" || !isSource(path) || isEntry(path, own)) return false;
    const home = own.apart.find((folder) => path.startsWith(folder));
    const isOwn = ({ from }: FileUse) => home !== undefined && from.startsWith(home);
    // The entry of a package in its own manifest does not show who needs the package, and neither does an alias for its
    // own sources.
    const isNaming = (use: FileUse) => classifyPath(use.from) === "mixed" && (isOwn(use) || isNicknamed(path, own));
    const users = imports.filter((use) => use.to === path && !isNaming(use));
    const byTests =
      users.length > 0 &&
      users.every((use) => isByTests(use) && !isOwn(use) && (judges.has(path) || !isTestOf(use.from, path)));
    const isMet = ({ from }: FileUse) => isMetByTest(from, path, imports) || isSamePackage(from, path, files);
    return byTests && !imports.some(({ from }) => from === path) && users.some(isMet);
  });
}

function isEntry(path: string, { folders, apart, modules }: OwnPackages): boolean {
  if (ENTRY.test(path)) return true;
  if (!FOLDER_ENTRY.test(path)) return false;
  const homes = folders.filter((folder) => path.startsWith(folder));
  const home = homes.toSorted((a, b) => b.length - a.length)[0] ?? "";
  const rest = path.slice(home.length);
  const [, module] = /^(src\/)?(\w+)\/__init__\.py$/.exec(rest)?.slice(1) ?? [];
  const isModule = module !== undefined && (rest.startsWith("src/") || modules.has(module.toLowerCase()));
  return !apart.includes(home) && (AT_HOME.test(rest) || isModule);
}

function isByTests({ from, by }: FileUse): boolean {
  return by === "exam" || (by === "open" && classifyPath(from) === "likely");
}

function isMetByTest(test: string, path: string, imports: readonly FileUse[]): boolean {
  return imports.some(({ from, to }) => from === test && to !== path && classifyPath(to) === "code");
}

/** A Go test sees the sources of its own folder without importing them. */
function isSamePackage(test: string, path: string, files: readonly string[]): boolean {
  if (!test.endsWith("_test.go")) return false;
  const folder = test.slice(0, test.lastIndexOf("/") + 1);
  const isBeside = (file: string) => file.startsWith(folder) && !file.slice(folder.length).includes("/");
  return files.some((file) => file !== path && file.endsWith(".go") && !file.endsWith("_test.go") && isBeside(file));
}
