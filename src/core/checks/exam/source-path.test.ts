import { expect, test } from "vitest";
import { isHeader, isSource } from "./source-path.ts";

test.each(["a.js", "a.c", "a.cpp", "a.h", "A.java", "A.kt", "A.swift", "A.cs", "a.rb", "a.php", "a.sh", "a.ex"])(
  "%s is a source",
  (path) => {
    expect(isSource(`src/${path}`)).toBe(true);
  },
);

test.each(["a.json", "a.css", "a.svg", "a.html", ".env", "a.txt", "a.md", "a", "a.sql"])("%s is none", (path) => {
  expect(isSource(path)).toBe(false);
});

test("only headers of C are included by other sources", () => {
  expect([isHeader("a.h"), isHeader("a.hpp"), isHeader("a.cpp"), isHeader("a.ts")]).toEqual([true, true, false, false]);
});
