import { isToolFetch, removeToolPrefix, TOOLS } from "../detect/ecosystems/npm-tool.ts";
import { hasInstallScripts, type InstallTree, isNodeText, isReadingTree } from "./node-install.ts";

/** Files of a tree that a set-up can read: all paths, and the text of those for which `isRead` is true. */
export type SetupTree = InstallTree;

/** Matches files that package managers read, at any depth: manifests, lock files, settings and patches. */
export function isSetupInput(path: string): boolean {
  return INPUT_NAME.test(getLastPathPart(path)) || INPUT_PATH.test(path);
}

/** Returns whether the input's text determines if installing runs files of the tree. */
export function isRead(path: string): boolean {
  return isNodeText(path) || isPinList(path);
}

/**
 * Returns whether the set-up may run or read more of the tree than its inputs: any line that is not a known install, a
 * script that installing starts, a package in the tree. A false positive costs a set-up, a false negative gives a false
 * green.
 */
export function mayRunTree(line: string, tree: SetupTree): boolean {
  const all = line.split("&&").map((part) => part.trim().replaceAll(/\s+/g, " "));
  const parts = all.filter((part) => !isToolFetch(part)).map(removeToolPrefix);
  // The programs would come from the tree.
  if (all.join() !== parts.join() && has(tree.paths, TOOLS)) return true;
  const node = parts.filter((part) => NODE_INSTALL.test(part));
  const pip = parts.filter((part) => PIP_INSTALL.test(part));
  const known = node.length + pip.length + parts.filter((part) => OTHER_INSTALL.test(part)).length;
  if (known !== parts.length || line.includes("..") || parts.some((part) => isTreeProgram(part, tree))) return true;
  if (node.length > 0 && isReadingTree(tree)) return true;
  if (node.some((part) => !part.includes(" --ignore-scripts")) && hasInstallScripts(tree)) return true;
  return pip.length > 0 && hasOutsideRequirement(tree);
}

const INPUT_NAME = new RegExp(
  `^(?:${[
    "package\\.json|package-lock\\.json|npm-shrinkwrap\\.json|yarn\\.lock|pnpm-lock\\.yaml|bun\\.lockb?|bunfig\\.toml",
    "\\.npmrc|\\.yarnrc.*|\\.yarnclean|\\.pnp.*|pnpm-workspace\\.yaml|lerna\\.json|binding\\.gyp",
    "pyproject\\.toml|setup\\.py|setup\\.cfg|Pipfile.*|(?:uv|poetry|pdm)\\.lock",
    "go\\.(?:mod|sum|work|work\\.sum)|Cargo\\.(?:toml|lock)|rust-toolchain.*|Gemfile.*|composer\\..*",
    "GNUmakefile|[Mm]akefile|\\.nvmrc|\\.node-version|\\.python-version|\\.tool-versions|.*\\.(?:patch|diff)",
  ].join("|")})$`,
);
const INPUT_PATH = /(?:^|\/)(?:\.cargo|\.yarn|patches)\/|(?:requirements|constraints)[^/]*(?:\/.*)?\.(?:txt|in)$/;

/** Flags without a value, because a value may be a path, as in `--script-shell ./run`. */
const FLAG = " --?[a-z][a-z-]*";
const FLAGS = `(?:${FLAG})*`;
const NODE_INSTALL = new RegExp(`^(?:npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|bun install)${FLAGS}$`);
/** Requires `-I`, because `-m` alone searches modules in the tree first. */
const PIP_INSTALL = new RegExp(
  `^(?:[\\w./-]*python3? -I -m pip|[\\w./-]*pip3?) install(?: (?:-r|-c) [\\w./-]+|${FLAG})*$`,
);
const OTHER_INSTALL = new RegExp(`^(?:python3? -I -m venv [\\w.-]+|go mod download|cargo fetch${FLAGS})$`);

function isPinList(path: string): boolean {
  return /(?:requirements|constraints)[^/]*(?:\/.*)?\.(?:txt|in)$/.test(path);
}

/** Finds a requirements line that refers to a file other than a list, or to a package in the tree. */
function hasOutsideRequirement({ texts }: SetupTree): boolean {
  const lists = [...texts].filter(([path]) => isPinList(path));
  return lists.some(([, text]) =>
    text.split("\n").some((line) => isOutsideRequirement(line.replace(/\s#.*|^#.*/, "").trim())),
  );
}

function isOutsideRequirement(line: string): boolean {
  const included = /^(?:-r|-c|--requirement|--constraint)[ =]?\s*(.+)$/.exec(line)?.[1];
  if (included !== undefined) return !isPinList(included);
  if (/^(?:-e|--editable|-f|--find-links|\.)/.test(line) || line.includes("file:")) return true;
  return line.includes("/") && !line.includes("://");
}

/** A program that is named by its path belongs to the tree if the tree has that folder. */
function isTreeProgram(part: string, { paths }: SetupTree): boolean {
  const [program = ""] = part.split(" ");
  const [folder = ""] = program.split("/");
  if (!program.includes("/")) return false;
  return program.startsWith("/") || folder.startsWith("..") || has(paths, folder);
}

function has(paths: ReadonlySet<string>, folder: string): boolean {
  return folder === "." || [...paths].some((path) => path === folder || path.startsWith(`${folder}/`));
}

const getLastPathPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
