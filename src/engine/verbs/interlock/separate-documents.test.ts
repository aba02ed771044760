import { expect, test } from "vitest";
import { runCommit } from "./run-commit.fixture.ts";
import { formatDocumentsMessage } from "./separate-documents.ts";

const documents = ["docs/**"];
const order = { documents: "apart" };

test("a commit without its documents is examined like the whole, and a red one is refused", async () => {
  const without = "bare";
  const fine = await runCommit({ ends: {}, documents, without, order });
  expect(fine.ran).toContain("bare");
  expect(fine.commits()).toBe(1);
  const red = await runCommit({ ends: { bare: 1 }, documents, without, order });
  expect(red.commits()).toBe(0);
  expect(JSON.stringify(red.end)).toContain("refused");
});

test("where no document is in the checked tree, nothing runs twice", async () => {
  const { ran, commits } = await runCommit({ ends: {}, documents, without: "new", order });
  expect(commits()).toBe(1);
  const plain = await runCommit({ ends: {}, documents });
  expect(ran).toEqual(plain.ran);
});

test("the commit of the documents is named after the work", () => {
  expect(formatDocumentsMessage("feat(api)!: greet by name\n\nWhy.")).toBe("docs: how this was made: greet by name");
});
