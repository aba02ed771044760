import { expect, test } from "vitest";
import { committing } from "./committing.fixture.ts";
import { documentsMessage } from "./documents-apart.ts";

const documents = ["docs/**"];
const order = { documents: "apart" };

test("a commit without its documents is examined like the whole, and a red one is refused", async () => {
  const without = "bare";
  const fine = await committing({ ends: {}, documents, without, order });
  expect(fine.ran).toContain("bare");
  expect(fine.commits()).toBe(1);
  const red = await committing({ ends: { bare: 1 }, documents, without, order });
  expect(red.commits()).toBe(0);
  expect(JSON.stringify(red.end)).toContain("refused");
});

test("where no document is in the checked tree, nothing runs twice", async () => {
  const { ran, commits } = await committing({ ends: {}, documents, without: "new", order });
  expect(commits()).toBe(1);
  const plain = await committing({ ends: {}, documents });
  expect(ran).toEqual(plain.ran);
});

test("the commit of the documents is named after the work", () => {
  expect(documentsMessage("feat(api)!: greet by name\n\nWhy.")).toBe("docs: how this was made: greet by name");
});
