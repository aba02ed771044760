import { world as greenfield } from "../../../src/cli/demo/worlds/roadmap.ts";
import type { Json } from "../../../src/core/text/json.ts";
import type { RealWorld } from "../../worlds/world.ts";

const KEEPS = `const notes = [];

export const add = (text) => notes.push(text);
export const all = () => [...notes];
`;
const FINDS = `import { all } from "./app.mjs";

export const find = (word) => all().filter((text) => text.includes(word));
`;
const createTest = (imported: string, title: string, body: string): string => `import assert from "node:assert/strict";
import { test } from "node:test";
${imported}

test("${title}", () => ${body});
`;
const NOTES = 'import { add, all } from "../src/app.mjs";';
const FILES: Readonly<Record<string, string>> = {
  "src/app.mjs": KEEPS,
  "src/search.mjs": FINDS,
  "tests/app.test.mjs": createTest(NOTES, "keeps notes", 'assert.deepEqual((add("one"), all()), ["one"])'),
  "tests/search.test.mjs": createTest(
    'import { add } from "../src/app.mjs";\nimport { find } from "../src/search.mjs";',
    "finds notes",
    'assert.deepEqual((add("a cat"), add("a dog"), find("dog")), ["a dog"])',
  ),
};

/** Keeps the names of the written files and gives them working content. */
function addContent(agent: Json): Json {
  return JSON.parse(JSON.stringify(agent), (_key, value) =>
    typeof value?.path === "string" && FILES[value.path] ? { ...value, content: FILES[value.path] } : value,
  );
}

/** The design of a greenfield project, its scaffold, and the first complex item based on both. */
export const world: RealWorld = {
  ...greenfield,
  // Files of the checks that the engine runs for each item.
  files: {
    ...greenfield.files,
    "roadmap.json": greenfield.files["roadmap.json"]?.replaceAll("node check.mjs", "node --test") ?? "",
  },
  // There is no test while the project is only designed, so another check is needed.
  config: "commands:\n  there: test -f roadmap.json\n  test: node --test\n",
  agents: greenfield.agents.map(addContent),
};
