import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CuredProject } from "../core/evidence/cure.ts";
import { type Detected, detectIn, FILES_ASKED } from "../core/evidence/detect-commands.ts";
import { scriptsIn } from "../core/evidence/detect-node.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import { isInstalled } from "./agents.ts";

/** The checks that the files at the top of a checkout declare. */
export async function detectedIn(top: string): Promise<Detected> {
  const names = await readdir(top);
  const { detected } = await detectedFrom(names, (name) => readFile(join(top, name), "utf8").catch(() => ""));
  return detected;
}

/** What a tree's files say about the commands of its project. */
export async function projectIn(workspace: Workspace, tree: string): Promise<CuredProject> {
  const paths = await workspace.files("", tree);
  const names = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  const read = async (name: string) => (await workspace.file(name, tree))?.text ?? "";
  const { detected, texts } = await detectedFrom([...names], read);
  return { ...detected, scripts: scriptsIn(texts.get("package.json")), modules: pythonModules(paths) };
}

/** At the top or below `src`, as a package or as one file. */
function pythonModules(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => /^(?:src\/)?(\w+)(?:\/__init__)?\.py$/.exec(path)?.[1] ?? []);
  return [...new Set(found)].filter((name) => name !== "setup" && name !== "conftest");
}

async function detectedFrom(names: readonly string[], read: (name: string) => Promise<string>) {
  const asked = FILES_ASKED.filter((name) => names.includes(name));
  const texts = new Map(await Promise.all(asked.map(async (name) => [name, await read(name)] as const)));
  const missing = new Set(["pnpm", "yarn"].filter((program) => !isInstalled(program)));
  return { detected: detectIn({ files: texts, names: new Set(names), missing }), texts };
}
