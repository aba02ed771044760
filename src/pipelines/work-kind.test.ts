import { expect, test } from "vitest";
import { declaredOf } from "./work-kind.ts";

test("work is a feature where one part is, otherwise a fix where one part is", () => {
  expect(declaredOf([{ kind: "docs" }, { kind: "fix" }, { kind: "feature" }])).toEqual({ declared: "feature" });
  expect(declaredOf([{ kind: "refactor" }, { kind: "fix" }])).toEqual({ declared: "fix" });
});

test("work whose parts say nothing, or something else, is not declared", () => {
  expect(declaredOf([{}, { kind: "refactor" }, { kind: "docs" }, { kind: "other" }])).toEqual({});
});
