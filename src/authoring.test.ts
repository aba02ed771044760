import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL(".", import.meta.url));
const read = (path: string): string => readFileSync(`${SRC}${path}`, "utf8");

/** Lists the names in the braces that a pattern finds, without `type` and local aliases. */
function listNames(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.replace("type ", "").trim().split(" as ")[0] ?? "")
    .filter((name) => name !== "");
}

test("exports everything that the built-in pipelines import from core, so that a copy of them loads", () => {
  const exported = new Set(listNames(read("authoring.ts"), /export (?:type )?\{([^}]*)\}/g));
  const sources = globSync("pipelines/**/*.ts", { cwd: SRC }).filter((path) => !/\.(?:test|fixture)\.ts$/.test(path));
  const imported = sources.flatMap((path) =>
    listNames(read(path), /import (?:type )?\{([^}]*)\} from "(?:\.\.\/)+core\//g).map((name) => ({ path, name })),
  );
  expect(imported.length).toBeGreaterThan(100);
  expect(imported.filter(({ name }) => !exported.has(name))).toEqual([]);
});
