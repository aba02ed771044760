import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");
/** `core` may use these and nothing else from outside. */
const CORE_PACKAGES = new Set(["zod", "yaml"]);
const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/\.(test|suite|fixture)\.ts$|(^|\/)(suite|fixtures)\//.test(file),
);

/** The folder under src/ that a file belongs to; surfaces are siblings of each other too. */
function layerOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "surfaces" ? `surfaces/${second}` : path.includes("/") ? first : "index";
}

function importsOf(file: string): string[] {
  return [...readFileSync(join(SRC, file), "utf8").matchAll(IMPORT)].map((match) => match[1] ?? "");
}

test("everything may import core, siblings never import each other, only cli composes", () => {
  const wrong = sources.flatMap((file) => {
    const layer = layerOf(file);
    return importsOf(file)
      .filter((path) => path.startsWith("."))
      .map((path) => relative(SRC, resolve(join(SRC, file), "..", path)))
      .filter((target) => {
        const to = layerOf(target);
        return to !== layer && to !== "core" && layer !== "cli" && layer !== "index";
      })
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("core imports no folder of ours, no Node module and only zod and yaml", () => {
  const wrong = sources
    .filter((file) => layerOf(file) === "core")
    .flatMap((file) =>
      importsOf(file)
        .filter((path) =>
          path.startsWith(".")
            ? layerOf(relative(SRC, resolve(join(SRC, file), "..", path))) !== "core"
            : !CORE_PACKAGES.has(path),
        )
        .map((path) => `${file} imports ${path}`),
    );
  expect(wrong).toEqual([]);
});

/** Code without its texts and patterns: a rule about `process.exit` in tests may name it. */
function codeOf(file: string): string {
  const text = readFileSync(join(SRC, file), "utf8");
  return text
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replaceAll(/(?<=[=(:,[]\s*)\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*/g, "");
}

test("core reaches for no clock, chance or environment", () => {
  const reaches = /Date\.now|new Date\(\)|Math\.random|process\.|setTimeout|setImmediate/;
  const wrong = sources.filter((file) => layerOf(file) === "core" && reaches.test(codeOf(file)));
  expect(wrong).toEqual([]);
});
