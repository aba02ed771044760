import { readdir, readFile } from "node:fs/promises";
import { posix } from "node:path";

/** The same place from the sources and from what is built of them: the package brings these sources along. */
const SOURCES = new URL("../../../src/pipelines/", import.meta.url);

const RELATIVE = /(from ")(\.\.?\/[^"]+)(")/g;
const CORE = /(from ")(?:\.\.\/)+core\/[^"]+(")/g;

export type CopiedFile = { readonly path: string; readonly text: string };

/**
 * A built-in pipeline as files of one's own: all sources that it consists of, in their folders below `<name>/`, and the
 * file that is loaded. What they need of the program they import by its public name.
 */
export async function copyOf(pipeline: string, name: string): Promise<readonly CopiedFile[]> {
  const sources = new Map<string, string>();
  await collect(`${pipeline}/index.ts`, sources);
  await collectPrompts(`${pipeline}/prompts/`, sources);
  const index = sources.get(`${pipeline}/index.ts`) ?? "";
  const [, exported = pipeline] = /^export const (\w+) = definePipeline/m.exec(index) ?? [];
  const entry = `export { ${exported} } from "./${name}/${pipeline}/index.ts";\n`;
  const copies = [...sources].map(([path, text]) => ({ path: `${name}/${path}`, text: named(text, pipeline, name) }));
  return [{ path: `${name}.ts`, text: entry }, ...copies];
}

async function collect(path: string, into: Map<string, string>): Promise<void> {
  if (into.has(path)) return;
  const text = await readFile(new URL(path, SOURCES), "utf8");
  const own = text.replaceAll(CORE, "$1signalbox/authoring$2");
  into.set(path, own);
  for (const [, , target = ""] of own.matchAll(RELATIVE)) {
    await collect(posix.join(posix.dirname(path), target), into);
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

const named = (text: string, pipeline: string, name: string): string =>
  text.replace(new RegExp(`^( +name: )"${pipeline}",$`, "m"), (_, key: string) => `${key}"${name}",`);
