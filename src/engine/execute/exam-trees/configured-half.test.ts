import { expect, test } from "vitest";
import { scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

const FILES = {
  "src/a.js": "old\n",
  "cases/list.json": "old\n",
  "locales/de.json": "old\n",
  "test/a.test.js": "old\n",
};

async function examined(halves?: { readonly tests: readonly string[]; readonly code: readonly string[] }) {
  const at = await scene(FILES);
  const texts = Object.keys(FILES).map((path) => ({ path, text: "new\n" }));
  const now = await at.workspace.compose(at.tree, { from: at.tree, paths: [], texts });
  const request = { old: at.tree, new: now, collected: ["test/a.test.js"] };
  return composeExam(at.workspace, { ...request, ...(halves ? { halves } : {}) });
}

test("without a word of a person, data may belong to either half", async () => {
  const { doubtful = [] } = await examined();
  expect(doubtful.flatMap(({ paths }) => paths)).toEqual(
    expect.arrayContaining(["cases/list.json", "locales/de.json"]),
  );
});

test("[A-26] what a person counts among the tests sits as it was, and what among the code as it is now", async () => {
  const { exam, code, doubtful } = await examined({ tests: ["cases/**"], code: ["locales/**"] });
  expect(exam).toEqual(["cases/list.json", "test/a.test.js"]);
  expect(code).toEqual(["locales/de.json", "src/a.js"]);
  expect(doubtful).toBeUndefined();
});

test("[A-26] a file that is named for both belongs to the tests", async () => {
  const { exam } = await examined({ tests: ["**/*.json"], code: ["**/*.json"] });
  expect(exam).toContain("locales/de.json");
});
