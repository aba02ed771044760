import { expect, test } from "vitest";
import { declaredAs } from "./declared.ts";

const code = { kind: "docs", changed: ["src/tax.js", "README.md"] } as const;

test("a fix of code that a person asks for is one, whatever its author calls it", () => {
  expect(declaredAs({ request: "Fix the rounding of tax" }, code)).toEqual({ declared: "fix" });
  expect(declaredAs({ request: "please repair the login" }, { ...code, kind: "other" })).toEqual({ declared: "fix" });
});

test("of other requests, and of documents alone, the author's word counts", () => {
  expect(declaredAs({ request: "Round tax down; the prefix stays" }, code)).toEqual({});
  expect(declaredAs({ request: "Fix the typo" }, { kind: "docs", changed: ["README.md"] })).toEqual({});
  expect(declaredAs({ request: "Round tax" }, { ...code, kind: "feature" })).toEqual({ declared: "feature" });
});

test("what a person says that it is stands above all", () => {
  expect(declaredAs({ request: "Fix it", kind: "chore" }, code)).toEqual({});
  expect(declaredAs({ request: "Round tax", kind: "feature" }, code)).toEqual({ declared: "feature" });
});
