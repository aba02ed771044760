import { expect, test } from "vitest";
import { findTomlProblem } from "./toml.ts";

const WHOLE = `# a project
[project]
name = "a # b"
versions = [
  "1", # one
  '2\\',
]
text = """
[not a table
"quoted" \\""" still
"""
raw = '''
x = '''
point = { x = 1, y = [2] }

[[bin]]
name = "a"
[[bin]]
name = "b"
[tool."a.b"]
x.y = 1
`;

test("an ordinary file has no problem, with either end of line", () => {
  expect(findTomlProblem(WHOLE)).toBeUndefined();
  expect(findTomlProblem(WHOLE.replaceAll("\n", "\r\n"))).toBeUndefined();
  expect(findTomlProblem("")).toBeUndefined();
});

test.each([
  ["[project\nname = 1", "line 1: the table's name is not closed"],
  ["[[bin]\nname = 1", "line 1: the table's name is not closed"],
  ["[a]\n[a]\n", "line 2: the table [a] is defined twice"],
  ["<<<<<<< HEAD\n", "line 1: neither a table nor `key = value`"],
  ["= 1", "line 1: a value without a key"],
  ["a =", "line 1: a key without a value"],
  ["a = # b", "line 1: a key without a value"],
  ['a = "b', "line 1: a string is not closed"],
  ["a = 1]", "line 1: a bracket is closed that was never opened"],
  ["a = [1,\n2", "a bracket is never closed"],
  ['a = """\nb', "a string of several lines is never closed"],
])("%j: %s", (text, problem) => {
  expect(findTomlProblem(text)).toBe(problem);
});

test("names in quotes may look alike up to a bracket", () => {
  expect(findTomlProblem('[a."x]1"]\n[a."x]2"]\n')).toBeUndefined();
});
