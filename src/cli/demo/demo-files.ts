/** Files of the demo's repository, and what its agents make of them. */

const formatTestFile = (imported: string, body: string): string => `import assert from "node:assert/strict";
import { test } from "node:test";
${imported}

${body}`;

const GREETS = 'test("greets by name", () => assert.equal(greet("Ada"), "Hello, Ada!"));\n';
const formatGreetTest = (...tests: readonly string[]): string =>
  formatTestFile('import { greet } from "../src/greet.js";', tests.join(""));

export const GREET = {
  code: 'export const greet = (name) => "Hello, " + name + "!";\n',
  test: formatGreetTest(GREETS),
  /** Breaks greet's behavior and removes the assertion for it from the test. */
  weakened: {
    code: `import { shout } from "./shout.js";

export const greet = (name) => shout("Hello, " + name + "!");
`,
    test: formatGreetTest('test("greets by name", () => greet("Ada"));\n'),
  },
  honest: {
    code: `import { shout } from "./shout.js";

export const greet = (name, { loud = false } = {}) => {
  const text = "Hello, " + name + "!";
  return loud ? shout(text) : text;
};
`,
    test: formatGreetTest(
      GREETS,
      'test("greets loudly", () => assert.equal(greet("Ada", { loud: true }), "HELLO, ADA!"));\n',
    ),
  },
};

export const SHOUT = {
  code: "export const shout = (text) => text.toUpperCase();\n",
  test: formatTestFile(
    'import { shout } from "../src/shout.js";',
    'test("shouts", () => assert.equal(shout("Hello!"), "HELLO!"));\n',
  ),
};

const formatInitials = (words: string): string =>
  `export const initials = (name) => ${words}.map((word) => word[0].toUpperCase()).join("");\n`;

const INITIALS_TEST = formatTestFile(
  'import { initials } from "../src/initials.js";',
  `test("takes first letters", () => assert.equal(initials("ada  lovelace"), "AL"));
test("an empty name has no initials", () => assert.equal(initials(" "), ""));
`,
);

export const INITIALS = {
  /** Two spaces in a row make an empty word, whose first letter is undefined. */
  broken: { code: formatInitials('name.split(" ")'), test: INITIALS_TEST },
  honest: { code: formatInitials('name.split(" ").filter(Boolean)'), test: INITIALS_TEST },
};
