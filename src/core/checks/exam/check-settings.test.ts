import { expect, test } from "vitest";
import { isCheckSettings, restoreCheckSettings } from "./check-settings.ts";

const OLD_FILES = new Set(["src", "src/a.ts", "examples", "packages/a"]);
const NEW_FILES = new Set(["src", "src/a.ts", "src/b.ts", "examples", "site", "packages/b"]);

const restored = (path: string, before: unknown, after: unknown, lines: readonly string[] = []) =>
  restoreCheckSettings({
    path,
    before: typeof before === "string" ? before : JSON.stringify(before),
    after: typeof after === "string" ? after : JSON.stringify(after),
    lines,
    wasThere: (each) => OLD_FILES.has(each),
    isThere: (each) => NEW_FILES.has(each),
  });

const options = (compilerOptions: object, more: object = {}) => ({ compilerOptions, ...more });

test.each([
  ["strict is switched off", options({ strict: true }), options({ strict: false }), options({ strict: true })],
  [
    "one part of strict is switched off",
    options({ strict: true }),
    options({ strict: true, strictNullChecks: false }),
    options({ strict: true }),
  ],
  ["nothing is checked any more", options({}), options({ noCheck: true }), options({})],
  [
    "fewer files are included",
    options({}, { include: ["src", "examples"] }),
    options({}, { include: ["src/a.ts"] }),
    options({}, { include: ["src", "examples", "src/a.ts"] }),
  ],
  ["files that were there are excluded", options({}), options({}, { exclude: ["examples"] }), options({})],
  [
    "a name leads to another file",
    options({ paths: { "#a": ["./src/a.ts"] } }),
    options({ paths: { "#a": ["./any.d.ts"], "#b": ["./src/b.ts"] } }),
    options({ paths: { "#a": ["./src/a.ts"], "#b": ["./src/b.ts"] } }),
  ],
])("[A-39] where %s, a type check also runs as before", (_what, before, after, wanted) => {
  expect(JSON.parse(restored("tsconfig.json", before, after))).toEqual(wanted);
});

test.each([
  ["a newer language", options({ strict: true, target: "es2020" }), options({ strict: true, target: "es2024" })],
  ["jsx", options({ strict: true }), options({ strict: true, jsx: "react-jsx", lib: ["dom"] })],
  ["a further folder", options({}, { include: ["src"] }), options({}, { include: ["src", "site"] })],
  ["a new folder left out", options({}), options({}, { exclude: ["site"] })],
  ["a new name", options({}), options({ paths: { "#b": ["./src/b.ts"] } })],
  [
    "a project that is gone",
    options({}, { references: [{ path: "packages/a" }] }),
    options({}, { references: [{ path: "packages/b" }] }),
  ],
])("a project of TypeScript with %s is as it is now", (_what, before, after) => {
  const text = JSON.stringify(after);
  expect(restored("tsconfig.json", before, text)).toBe(text);
});

test("[A-39] comments and commas at the end of a tsconfig.json are read", () => {
  const before = '{\n  // all of it\n  "compilerOptions": { "strict": true, },\n}\n';
  expect(restored("tsconfig.json", before, before.replace("true", "false"))).toBe(before);
  const newer = before.replace("true", 'false, "jsx": "react"');
  expect(JSON.parse(restored("tsconfig.json", before, newer))).toEqual(options({ jsx: "react", strict: true }));
  expect(restored("tsconfig.json", before, "{ broken")).toBe(before);
});

test("[A-39] a script that a line calls is as it was, and so are settings of linters in a manifest", () => {
  const before = { name: "p", scripts: { types: "tsc --noEmit" }, dependencies: {} };
  const after = {
    name: "p",
    scripts: { types: "tsc --noEmit --strict false" },
    dependencies: { left: "1" },
    eslintConfig: { rules: {} },
  };
  expect(JSON.parse(restored("package.json", before, after, ["npm run types"]))).toEqual({
    ...before,
    dependencies: { left: "1" },
  });
});

test("[A-39] sections of type checkers and linters are as they were, and the rest of the file is as it is now", () => {
  const before = "[project]\nname = 'p'\n[tool.mypy]\nstrict = true\n";
  const after = "[project]\nname = 'q'\n[tool.mypy]\nstrict = false\n[tool.ruff]\nignore = ['E']\n";
  expect(restored("pyproject.toml", before, after)).toBe("[project]\nname = 'q'\n[tool.mypy]\nstrict = true\n");
});

test("the layout that Biome writes is no demand", () => {
  const before = { linter: { rules: { recommended: true } }, formatter: { lineWidth: 80 } };
  const after = { linter: { rules: { recommended: false } }, formatter: { lineWidth: 120 } };
  expect(JSON.parse(restored("biome.json", before, after))).toEqual({ ...before, formatter: { lineWidth: 120 } });
});

test("settings of linters and type checkers are recognized by name, those of formatters do not count", () => {
  const known = ["tsconfig.base.json", "web/tsconfig.json", "eslint.config.mjs", ".eslintrc.json", ".eslintignore"];
  const more = ["biome.json", "ruff.toml", "mypy.ini", ".golangci.yml", "pyproject.toml", ".flake8", "clippy.toml"];
  expect([...known, ...more].filter((path) => !isCheckSettings(path))).toEqual([]);
  expect([".prettierrc", ".editorconfig", "src/eslint.ts", "src/biome.ts"].filter(isCheckSettings)).toEqual([]);
});
