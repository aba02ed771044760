import { readdir, readFile } from "node:fs/promises";
import { posix } from "node:path";

/** Resolves to the same folder from the sources and from the build; the package ships these sources. */
const SOURCES = new URL("../../../src/pipelines/", import.meta.url);

const RELATIVE = /(from ")(\.\.?\/[^"]+)(")/g;
const CORE = /(from ")(?:\.\.\/)+core\/[^"]+(")/g;

export type CopiedFile = { readonly path: string; readonly text: string };

/**
 * Copies a built-in pipeline: all of its sources, in their folders below `<name>/`, and the entry file that is loaded.
 * Imports of core modules are replaced with the public package name.
 */
export async function copyPipeline(pipeline: string, name: string): Promise<readonly CopiedFile[]> {
  const sources = new Map<string, string>();
  await collectSources(`${pipeline}/index.ts`, sources);
  await collectPrompts(`${pipeline}/prompts/`, sources);
  const index = sources.get(`${pipeline}/index.ts`) ?? "";
  const [, exported = pipeline] = /^export const (\w+) = definePipeline/m.exec(index) ?? [];
  const entry = `export { ${exported} } from "./${name}/${pipeline}/index.ts";\n`;
  const copies = [...sources].map(([path, text]) => ({
    path: `${name}/${path}`,
    text: replaceName(text, pipeline, name),
  }));
  return [{ path: `${name}.ts`, text: entry }, ...copies];
}

async function collectSources(path: string, into: Map<string, string>): Promise<void> {
  if (into.has(path)) return;
  const text = await readFile(new URL(path, SOURCES), "utf8");
  const own = text.replaceAll(CORE, "$1signalbox/authoring$2");
  into.set(path, own);
  for (const [, , target = ""] of own.matchAll(RELATIVE)) {
    await collectSources(posix.join(posix.dirname(path), target), into);
  }
}

/** Copies the Markdown files that `loadRolePrompt` reads. */
async function collectPrompts(folder: string, into: Map<string, string>): Promise<void> {
  const files = await readdir(new URL(folder, SOURCES), { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".md"))) {
    const path = folder + file.replaceAll("\\", "/");
    into.set(path, await readFile(new URL(path, SOURCES), "utf8"));
  }
}

const replaceName = (text: string, pipeline: string, name: string): string =>
  text.replace(new RegExp(`^( +name: )"${pipeline}",$`, "m"), (_, key: string) => `${key}"${name}",`);
