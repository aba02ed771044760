import { expect, test } from "vitest";
import { formatBrief } from "../../../core/authoring/brief.ts";
import { BOTH, EXAM, runCommit } from "./run-commit.fixture.ts";

test("a question about a commit shows the request, the whole message, and each test once", async () => {
  const red = { "t.js › a": "failed", "t.js › b": "passed" } as const;
  const order = { input: { request: "Let greet() say you" } };
  const { question } = await runCommit({ ends: { base: BOTH, new: BOTH, "old-on-new": red }, exam: EXAM, order });
  const read = formatBrief(question?.brief ?? []).join("\n");
  expect(read).toMatch(/^Request\n {2}Let greet\(\) say you\nCommit message\n {2}work\n/);
  expect(read.match(/t\.js › a/g)).toHaveLength(1);
});
