import { expect, test } from "vitest";
import { joined, rulesIn } from "./rule-tags.ts";

test("a tag states id, kind and sentence, and belongs to the declaration below it", () => {
  const text = "/** @rule L-01 (gate) It holds. */\nexport const HOLDS = valueRule({});\n";
  expect(rulesIn("a/b.ts", text)).toEqual({
    rules: [{ id: "L-01", rule: "It holds.", kind: "gate", by: "a/b.ts#HOLDS" }],
    problems: [],
  });
});

test("a sentence continues until the next tag, an empty line or the end of the comment", () => {
  const text = `/**
 * Why it is so.
 * @rule L-01 (policy) It holds
 *   on two lines.
 * @rule L-02 (code) It holds, too.
 *
 * More of why.
 */
async function hold() {}
`;
  expect(rulesIn("a.ts", text).rules).toEqual([
    { id: "L-01", rule: "It holds on two lines.", kind: "policy", by: "a.ts#hold" },
    { id: "L-02", rule: "It holds, too.", kind: "code", by: "a.ts#hold" },
  ]);
});

test("a tag on a member belongs to the enclosing declaration", () => {
  const text =
    "const first = 1;\nexport const AROUND = {\n  /** @rule L-01 (policy) It holds. */\n  cap: 4,\n};\nlet last;\n";
  expect(rulesIn("a.ts", text).rules.map(({ by }) => by)).toEqual(["a.ts#AROUND"]);
});

test.each([
  ["nothing below it", "/** @rule L-01 (gate) It holds. */\n"],
  ["an empty line below it", "/** @rule L-01 (gate) It holds. */\n\nconst a = 1;\n"],
  ["no declaration below it", '/** @rule L-01 (gate) It holds. */\nimport "a";\nconst a = 1;\n'],
  ["no declaration around it", "  /** @rule L-01 (gate) It holds. */\nconst a = 1;\n"],
])("a tag with %s is reported with file and line", (_, text) => {
  const problems = ["src/a.ts:2: no declaration at the top level carries L-01"];
  expect(rulesIn("a.ts", `\n${text}`)).toEqual({ rules: [], problems });
});

test.each(["// @rule L-01 (gate) It holds.", "/* @rule L-01 (gate) It holds. */", "/** a */\n// @rule L-01 (gate) b"])(
  "a tag outside a doc comment is reported: %j",
  (text) => {
    const [problem] = rulesIn("a.ts", `${text}\nconst a = 1;\n`).problems;
    expect(problem).toMatch(/^src\/a\.ts:\d: a rule stands in a comment that begins with \/\*\*$/);
  },
);

test.each(["@rule L-1 (gate) It holds.", "@rule L-01 It holds.", "@rule L-01 (wish) It holds.", "@rule L-01 (gate)"])(
  "a malformed tag is reported: %s",
  (tag) => {
    const [problem] = rulesIn("a.ts", `/**\n * ${tag}\n */\nconst a = 1;\n`).problems;
    expect(problem).toMatch(/^src\/a\.ts:2: expected `@rule X-00 \(gate/);
  },
);

test("the word @rule inside a sentence is not a tag", () => {
  expect(rulesIn("a.ts", "/** Carries an @rule of its own. */\nconst a = 1;\n")).toEqual({ rules: [], problems: [] });
});

test("rules are sorted by id, and a rule on two declarations is reported with both", () => {
  const tagged = (id: string, name: string) =>
    rulesIn(`${name}.ts`, `/** @rule ${id} (code) It holds. */\nconst ${name} = 1;\n`);
  const { rules, problems } = joined([tagged("L-02", "a"), tagged("L-01", "b"), tagged("L-02", "c")]);
  expect(rules.map(({ id }) => id)).toEqual(["L-01", "L-02", "L-02"]);
  expect(problems).toEqual(["L-02: more than one declaration carries it: a.ts#a, c.ts#c"]);
});
