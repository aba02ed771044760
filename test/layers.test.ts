import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { DRIVERS } from "../src/drivers/index.ts";

const SRC = resolve(import.meta.dirname, "../src");
/** The only packages that `core` and `views` may import. */
const CORE_PACKAGES = new Set(["zod", "yaml"]);
const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/\.(test|suite|fixture)\.ts$|(^|\/)(suite|fixtures)\//.test(file),
);

/** The folder under src/ that a file belongs to; surfaces are siblings of each other too. */
function getLayer(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "surfaces" ? `surfaces/${second}` : path.includes("/") ? first : "index";
}

function listImports(file: string): string[] {
  return [...readFileSync(join(SRC, file), "utf8").matchAll(IMPORT)].map((match) => match[1] ?? "");
}

/** Folders that all layers may import: pure code, and the Node helpers that several folders need. */
const LEAVES = new Set(["core", "node"]);

/** Besides the leaves, a surface may import the views. */
function mayImport(layer: string, to: string): boolean {
  return layer === "cli" || layer === "index" || (layer.startsWith("surfaces/") && to === "views");
}

test("everything may import core and node, surfaces the views, siblings never each other, and only cli composes", () => {
  const wrong = sources.flatMap((file) => {
    const layer = getLayer(file);
    return listImports(file)
      .filter((path) => path.startsWith("."))
      .map((path) => relative(SRC, resolve(join(SRC, file), "..", path)))
      .filter((target) => {
        const to = getLayer(target);
        return to !== layer && !LEAVES.has(to) && !mayImport(layer, to);
      })
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("node imports only Node and core", () => {
  const wrong = sources
    .filter((file) => getLayer(file) === "node")
    .flatMap((file) => listImports(file).filter((path) => !/^(node:|\.\/|\.\.\/core\/)/.test(path)));
  expect(wrong).toEqual([]);
});

test.each(["core", "views"])(
  "%s imports from our folders only core, no Node module, and from packages only zod and yaml",
  (pure) => {
    const wrong = sources
      .filter((file) => getLayer(file) === pure)
      .flatMap((file) =>
        listImports(file)
          .filter((path) =>
            path.startsWith(".")
              ? !["core", pure].includes(getLayer(relative(SRC, resolve(join(SRC, file), "..", path))))
              : !CORE_PACKAGES.has(path),
          )
          .map((path) => `${file} imports ${path}`),
      );
    expect(wrong).toEqual([]);
  },
);

/** Returns the code without strings and patterns, so that a rule about `process.exit` may name it. */
function readCode(file: string): string {
  const text = readFileSync(join(SRC, file), "utf8");
  return text
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replaceAll(/(?<=[=(:,[]\s*)\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*/g, "");
}

test.each(["core", "views"])("%s uses no clock, randomness or environment", (pure) => {
  const reaches = /Date\.now|new Date\(\)|Math\.random|process\.\w|setTimeout|setImmediate/;
  const wrong = sources.filter((file) => getLayer(file) === pure && reaches.test(readCode(file)));
  expect(wrong).toEqual([]);
});

test("cli reads a driver's descriptor and contains no driver name", () => {
  const names = DRIVERS.map(({ name }) => name).join("|");
  const compares = new RegExp(`(?:driver|name|program)\\w*\\s*[!=]==\\s*"(?:${names})"|case "(?:${names})"`, "i");
  const wrong = sources
    .filter((file) => getLayer(file) === "cli")
    .flatMap((file) =>
      readFileSync(join(SRC, file), "utf8")
        .split("\n")
        .filter((line) => compares.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(wrong).toEqual([]);
});
