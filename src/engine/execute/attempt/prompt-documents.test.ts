import { expect, test } from "vitest";
import { documentsLine } from "./prompt-documents.ts";

const line = (paths: readonly string[]): string =>
  documentsLine({ rendered: paths.map((path) => ({ path, text: "" })) }).join("");

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
  expect(documentsLine({ rendered: [] })).toEqual([]);
});
