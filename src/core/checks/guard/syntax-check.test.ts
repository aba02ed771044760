import { expect, test } from "vitest";
import { checkSyntax, listParsedPaths } from "./syntax-check.ts";

/** Syntax of an expression in a workflow file. */
const VALUE = `\${{ secrets.b }}`;
const messages = (path: string, after?: string, before?: string) =>
  checkSyntax([{ path, after, before }]).map((finding) => finding.message);

test.each([
  ["a.json", '{"a": 1}'],
  ["a.json", '\uFEFF{"a": 1}'],
  ["a.yaml", "a: 1\n---\nb: !Ref c\n"],
  [".github/workflows/ci.yml", `on: push\nenv:\n  a: ${VALUE}\n`],
  ["pyproject.toml", '[project]\nname = "a"\n'],
  ["package.json", '{"name": "a", "scripts": {"test": "vitest"}}'],
  ["src/a.ts", "not { judged"],
  ["tsconfig.json", '{ /* a comment */ "strict": true, }'],
  [".vscode/settings.json", "// a comment\n{}"],
  ["test/fixtures/broken.json", "{"],
  ["chart/values.yaml", "a: {{ .Values.a }}: b\n  c\n"],
  ["play.yml", "{% if a %}\n  - b\n a: [\n"],
])("[L-53] %s with %j can be read", (path, text) => {
  expect(messages(path, text)).toEqual([]);
});

test.each([
  ["a.json", "{", "a.json cannot be read"],
  ["deep/package.json", '{"scripts": {"test": 1}}', "scripts.test"],
  ["package.json", "[]", "the whole"],
  ["package.json", '{"name": "a",}', "package.json cannot be read"],
  ["a.yml", 'a: "b', "a.yml cannot be read"],
  [".github/workflows/ci.yml", `on: [push\nenv: ${VALUE}\n`, "ci.yml cannot be read"],
  ["Cargo.toml", "[package\n", "Cargo.toml cannot be read: line 1"],
])("%s with %j is a finding", (path, text, message) => {
  expect(messages(path, text)).toEqual([expect.stringContaining(message)]);
});

test("a finding names the file; a deleted file, or one that was broken before, is not reported", () => {
  expect(checkSyntax([{ path: "a.json", after: "{" }])).toMatchObject([
    { severity: "major", files: ["a.json"], by: "parses" },
  ]);
  expect(messages("a.json", undefined, "{}")).toEqual([]);
  expect(messages("a.json", "{", "{{")).toEqual([]);
  expect(messages("a.json", "{", "{}")).toHaveLength(1);
});

test("nesting that no reader survives is a finding, not a crash", () => {
  expect(messages("a.yaml", "[".repeat(20_000))).toEqual([
    "a.yaml cannot be read: line 1: it is nested deeper than 64 levels",
  ]);
});

test("YAML too long to be configuration is not judged", () => {
  expect(messages("a.yaml", `a: "${"x".repeat(2_000_000)}`)).toEqual([]);
});

test("files of other kinds are not listed as checked", () => {
  const changes = [
    { path: "src/a.js", after: "let = ;" },
    { path: "package.json", after: "{}" },
    { path: "gone.json", before: "{}" },
  ];
  expect(listParsedPaths(changes)).toEqual(["package.json"]);
  expect(checkSyntax(changes)).toEqual([]);
});
