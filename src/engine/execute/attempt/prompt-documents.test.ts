import { expect, test } from "vitest";
import { formatDocumentsLine } from "./prompt-documents.ts";

const line = (paths: readonly string[], input: unknown = {}): string =>
  formatDocumentsLine({ rendered: paths.map((path) => ({ path, text: "" })), input }).join("");

test("documents are named below the folder that all of them have", () => {
  expect(line(["docs/a/plan.md", "docs/a/tasks/one.yaml"])).toBe(
    "Documents of this run, to read in `docs/a/`: `plan.md`, `tasks/one.yaml`.",
  );
  expect(line(["NOTES.md", "plans/a.md"])).toBe("Documents of this run, to read: `NOTES.md`, `plans/a.md`.");
  expect(line(["docs/ab/x.md", "docs/a/x.md"])).toContain("in `docs/`");
});

test("of many, the folders are named with how many they have", () => {
  const verdicts = Array.from({ length: 9 }, (_, at) => `docs/a/verdicts/${at}.yaml`);
  expect(line(["docs/a/plan.md", ...verdicts])).toBe(
    "Documents of this run, to read in `docs/a/`: `plan.md`, `verdicts/` (9).",
  );
});

test("without documents nothing is said", () => {
  expect(line([])).toBe("");
});

test("an input that lists what to read is the only list", () => {
  const paths = ["docs/a/request.md", "docs/a/memory.md"];
  expect(line(paths, { inputs: ["docs/a/request.md"] })).toBe("");
  expect(line(paths, { documents: "docs/a" })).toContain("`request.md`");
});
