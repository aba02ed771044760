import { expect, test } from "vitest";
import { listDocumentFolders } from "./document-folders.ts";

const documents = { documents: true };

test("a documents role needs the folders of its documents, each once", () => {
  const writes = ["docs/feature/x/plan.md", "docs/feature/x/tasks/*.md", "./notes/a.md", "!docs/feature/x/secret.md"];
  expect(listDocumentFolders(documents, writes)).toEqual(["docs/feature/x", "notes"]);
  expect(listDocumentFolders(documents, ["docs/**/a.md", "docs-too/"])).toEqual(["docs", "docs-too"]);
});

test.each([
  ["whose documents can be anywhere", ["**"]],
  ["with a document beside the tree's topmost folders", ["docs/a.md", "README.md"]],
  ["whose pattern begins with the first name", ["{docs,src}/a.md"]],
  ["with a document in a place that agents take orders from", [".claude/agents/a.md"]],
  ["with a document in a folder that holds such a place", [".github/a.md"]],
  ["with a document in the engine's own place", [".signalbox/notes/a.md"]],
  ["with a document in a repository's own place", ["docs/.git/a.md"]],
  ["with a path that leads out", ["docs/../../a.md"]],
  ["with a path from the root", ["/etc/a.md"]],
  ["to whom no path is named", []],
])("a role %s needs a folder of its own", (_who, writes) => {
  expect(listDocumentFolders(documents, writes)).toBeUndefined();
});

test("a role that does not say that it writes documents needs a folder of its own", () => {
  expect(listDocumentFolders({}, ["docs/a.md"])).toBeUndefined();
});
