import { pathKind } from "../exam-path.ts";
import { isSource } from "../source-path.ts";
import { isNicknamed, NO_PACKAGES, type OwnPackages } from "./own-packages.ts";
import { isImported, isTestOf, type Use } from "./use.ts";

/** What users begin with, whoever else imports it. */
const ENTRY = /(?:^|\/)(?:cli|app|server|__main__)\.\w+$/;
/** What stands for its folder: users begin with it where the folder is a package's. */
const FOLDER_ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__)\.\w+$/;
const AT_HOME = /^(?:(?:src|lib|app|sources?|internal|cmd\/[^/]+)\/)?[^/]+$/;

/**
 * Which of the sources may hold what tests expect, although they lie among the code: only tests import them, none is
 * named after them, and one of those tests imports other code of the change as well. A part of the product that nobody
 * else uses looks the same, so they are not the exam for sure. What imports other code of the change is that code's.
 * `judges` are those through which a test asserts that is not named after them.
 */
export function loneAmong(
  files: readonly string[],
  uses: readonly Use[],
  own: OwnPackages = NO_PACKAGES,
  judges: ReadonlySet<string> = new Set(),
): readonly string[] {
  const imports = uses.filter(isImported);
  return files.filter((path) => {
    if (pathKind(path) !== "code" || !isSource(path) || isEntry(path, own)) return false;
    const home = own.apart.find((folder) => path.startsWith(folder));
    const isOwn = ({ from }: Use) => home !== undefined && from.startsWith(home);
    // That a package names its own entry says nothing about who needs the package, nor does a name for its own sources.
    const isNaming = (use: Use) => pathKind(use.from) === "mixed" && (isOwn(use) || isNicknamed(path, own));
    const users = imports.filter((use) => use.to === path && !isNaming(use));
    const byTests =
      users.length > 0 &&
      users.every((use) => isByTests(use) && !isOwn(use) && (judges.has(path) || !isTestOf(use.from, path)));
    const isMet = ({ from }: Use) => meets(from, path, imports) || meetsItsPackage(from, path, files);
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

function isByTests({ from, by }: Use): boolean {
  return by === "exam" || (by === "open" && pathKind(from) === "likely");
}

function meets(test: string, path: string, imports: readonly Use[]): boolean {
  return imports.some(({ from, to }) => from === test && to !== path && pathKind(to) === "code");
}

/** A test of Go sees the sources of its own folder without importing them. */
function meetsItsPackage(test: string, path: string, files: readonly string[]): boolean {
  if (!test.endsWith("_test.go")) return false;
  const folder = test.slice(0, test.lastIndexOf("/") + 1);
  const isBeside = (file: string) => file.startsWith(folder) && !file.slice(folder.length).includes("/");
  return files.some((file) => file !== path && file.endsWith(".go") && !file.endsWith("_test.go") && isBeside(file));
}
