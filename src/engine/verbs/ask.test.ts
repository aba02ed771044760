import { expect, test } from "vitest";
import { pipe } from "../../../test/support/pipe.ts";
import { stage } from "../../../test/support/stage.ts";
import type { Question } from "../../core/authoring/verbs.ts";

type Manners = Partial<Pick<Question<"yes" | "again">, "words" | "revises" | "paths">>;

const asking = (manners: Manners = {}) =>
  pipe(async ({ phase, ask }) => {
    phase("1 Work");
    await ask({ title: "Good?", show: 1, choices: ["yes", "again"], auto: "never", ...manners });
    return { status: "done" };
  });

test("a question keeps the run active while someone can answer, and suspends it afterwards", async () => {
  const left = new AbortController();
  const s = await stage({ pipeline: asking(), parts: { waits: left.signal } });
  const driven = s.drive();
  for await (const record of s.host.journal.follow(s.run, 0, new AbortController().signal)) {
    if (record.type === "approval.requested") break;
  }
  left.abort();
  expect(await driven).toEqual({ status: "waiting", exit: 3 });
});

test("how it is answered and what it is about are recorded with the question, for every surface", async () => {
  const s = await stage({ pipeline: asking({ words: ["again"], revises: "again", paths: ["plan.md"] }) });
  await s.drive();
  expect((await s.records()).find(({ type }) => type === "approval.requested")).toMatchObject({
    words: ["again"],
    revises: "again",
    paths: ["plan.md"],
  });
});

test("a run that waits is asked the same when its pipeline has learned which choice revises", async () => {
  const s = await stage({ pipeline: asking() });
  await s.drive();
  const later = await s.again({ pipeline: asking({ revises: "again", paths: ["plan.md"] }) });
  expect(await later.drive()).toEqual({ status: "waiting", exit: 3 });
});
