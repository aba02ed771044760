import { readdir } from "node:fs/promises";
import type { FixableProject } from "../../core/checks/cure/cure.ts";
import { KNOWN_PROGRAMS } from "../../core/checks/cure/missing-program.ts";
import { type DetectedProject, detectProjectChecks, isAsked } from "../../core/checks/detect/detect-commands.ts";
import { listScripts } from "../../core/checks/detect/ecosystems/node/node.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { readInCheckout } from "../../node/checkout-file.ts";
import { isInstalled } from "../agents/agents.ts";
import { listGitLines } from "./repository.ts";

/** Detects the checks that the files of a checkout declare. */
export async function detectChecks(top: string): Promise<DetectedProject> {
  const [names, tracked] = await Promise.all([readdir(top), listGitLines(top, ["ls-files", "-z"])]);
  const paths = [...new Set([...names.filter((name) => name !== ".git"), ...tracked])];
  const { detected } = await detectProject(paths, async (path) => {
    const read = readInCheckout(top, path);
    return read.ok ? read.text : undefined;
  });
  return detected;
}

/** Detects the project's commands from the files of a tree. */
export async function detectTreeProject(workspace: Workspace, tree: string): Promise<FixableProject> {
  const paths = await workspace.files("", tree);
  const read = async (path: string) => (await workspace.file(path, tree))?.text ?? "";
  const { detected, texts } = await detectProject(paths, read);
  return { ...detected, scripts: listScripts(texts.get("package.json")), modules: listPythonModules(paths) };
}

/** Lists modules at the top or below `src`, as a package or a single file. */
function listPythonModules(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => /^(?:src\/)?(\w+)(?:\/__init__)?\.py$/.exec(path)?.[1] ?? []);
  return [...new Set(found)].filter((name) => name !== "setup" && name !== "conftest");
}

/** Limit on the manifests read; more of them add nothing about how the project is checked. */
const MOST_FILES = 400;

/** Files that cannot be read are treated as missing. */
async function detectProject(all: readonly string[], read: (path: string) => Promise<string | undefined>) {
  const asked = all.filter(isAsked).slice(0, MOST_FILES);
  const found = await Promise.all(asked.map(async (path) => [path, await read(path)] as const));
  const unread = new Set(found.flatMap(([path, text]) => (text === undefined ? [path] : [])));
  const texts = new Map(found.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])));
  const paths = all.filter((path) => !unread.has(path));
  const names = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  const missing = new Set(KNOWN_PROGRAMS.filter((program) => !isInstalled(program)));
  return { detected: detectProjectChecks({ files: texts, names, paths, missing }), texts };
}
