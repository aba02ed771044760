import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../test/support/cpu-clock.ts";
import { findYamlFault, readYaml, YAML_BOUNDS } from "./outside-yaml.ts";

test("plain data is read as it was written", () => {
  expect(readYaml("\uFEFFa: 1\nb: [x, 'y']\n")).toEqual({ ok: true, value: { a: 1, b: ["x", "y"] } });
  expect(readYaml("01: x", { schema: "failsafe" })).toEqual({ ok: true, value: { "01": "x" } });
});

test("an alias may stand for something", () => {
  expect(readYaml("a: &x {b: 1}\nc: *x\n")).toEqual({ ok: true, value: { a: { b: 1 }, c: { b: 1 } } });
});

test("a duplicate key is an error with its line", () => {
  expect(readYaml("a: 1\nb: 2\na: 3\n")).toMatchObject({ ok: false, line: 3, fault: 'the key "a" is defined twice' });
  expect(readYaml("a: 1\na: 3\n", { uniqueKeys: false })).toMatchObject({ ok: true });
});

test("a directive in the text changes nothing about how it is read", () => {
  expect(readYaml("%YAML 1.1\n---\na: yes\nb: !!binary aGk=\n")).toEqual({ ok: true, value: { a: "yes", b: "aGk=" } });
});

const doubling = Array.from(
  { length: 40 },
  (_, at) => `a${at}: &a${at} [${at === 0 ? "x" : `*a${at - 1},*a${at - 1}`}]`,
);

describe("a text over the limits is refused with a plain sentence", () => {
  test.each([
    ["an alias within itself", "&a [*a,*a]", /an alias refers to itself|its aliases expand to more/],
    ["aliases that double", doubling.join("\n"), /its aliases expand to more than 100000 values/],
    ["brackets", "[".repeat(1_000), /line 1: it is nested deeper than 64 levels/],
    ["aliases", `a: &a 1\nb:\n${"- *a\n".repeat(2_000)}`, /more than 1000 aliases/],
    ["quotes", '"'.repeat(250_000), /more than 60000 keys, values and punctuation marks/],
    ["letters", "a".repeat(YAML_BOUNDS.chars + 1), /longer than 262144 characters/],
  ])("%s", (_name, text, problem) => {
    const start = cpuMs();
    const read = readYaml(text);
    expect(read.ok ? "it was read" : read.problem).toMatch(problem);
    expect(cpuMs() - start).toBeLessThan(1_000);
  });
});

test("every document of a file is checked", () => {
  expect(findYamlFault("a: 1\n---\nb: 2\n")).toBeUndefined();
  expect(findYamlFault('a: 1\n---\nb: "\n')).toMatch(/^line \d: Missing closing/);
});
