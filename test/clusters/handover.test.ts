import { expect, test } from "vitest";
import type { Question } from "../../src/core/authoring/verbs.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import {
  builds,
  commits,
  errs,
  FOLDER,
  given,
  inputsOf,
  names,
  type Part,
  phasesOf,
  plans,
  play,
  QUIET,
  report,
  revise,
  sentTo,
  short,
  writes,
} from "./paper.ts";

const requestSeen = (played: Awaited<ReturnType<typeof play>>, name: string): string =>
  sentTo(played, name)[0]?.rendered.find(({ path }) => path === `${FOLDER}/initial-request.md`)?.text ?? "";

test("a person's note to an approval or refusal is added to the request for all later agents", async () => {
  const agreed = { choice: "proceed", note: "mind the empty name" };
  const back = { choice: "refuse", note: "one task is enough" };
  const played = await play({ approvals: "interactive", answers: [agreed, back, "proceed"] });
  expect(requestSeen(played, "researcher-impact")).toBe("Greet people by name\n");
  expect(requestSeen(played, "spec")).toBe(
    "Greet people by name\n\n## Said since\n\n- agreed after step 1: mind the empty name\n",
  );
  for (const name of ["01-greet", "v-feature", "r-quality"]) {
    expect(requestSeen(played, name)).toContain("- sent back after step 4: one task is enough");
  }
});

test("[C-47] a question lists the documents that it is about, and the choice that sends them back", async () => {
  const heard: Question<string>[] = [];
  const asks = (question: Question<string>): void => {
    heard.push(question);
  };
  await play({ approvals: "interactive", answers: ["proceed", "proceed"], asks });
  expect(heard.at(0)).toMatchObject({ revises: "refuse", paths: [`${FOLDER}/analysis.md`] });
  const tasks = ["01-greet", "02-shout"].map((id) => `${FOLDER}/tasks/${id}.md`);
  expect(heard.at(-1)).toMatchObject({ revises: "refuse", paths: [`${FOLDER}/plan.md`, ...tasks] });
  expect(Object.keys(changesIn(heard.at(-1)?.tree?.tree ?? ""))).toEqual(expect.arrayContaining(tasks));
});

test("an agent that is asked again gets its earlier output", async () => {
  const first: Part = (request) => (request.round === 1 ? writes("- [Major] too wide\n") : writes())(request);
  const played = await play({ parts: { "ct-strategy": first } });
  const [before, after] = inputsOf(played, "ct-security");
  expect(before?.inputs.map(short)).not.toContain("ct-review/ct-security.md");
  expect(after?.inputs.map(short)).toContain("ct-review/ct-security.md");
  expect(after?.["last"]).toContain("ct-review/ct-security.md is yours of the round before");
  expect(inputsOf(played, "designer")[1]?.inputs.map(short)).toContain("design.md");
});

test("a fix task gets the findings against its files, and a repeated task gets what it delivered", async () => {
  const finding = "- [Major] greets nobody (src/09-repair.ts)\n";
  const first: Part = (request) => (request.round === 1 ? revise(finding) : writes())(request);
  const replanned = await play({ parts: { "v-feature": first } });
  expect(inputsOf(replanned, "09-repair")[0]).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining("greets nobody") })]),
  });
  const named =
    (text: string): Part =>
    (request) =>
      (request.round === 1 ? writes(text) : writes())(request);
  const fixed = await play({ parts: { "r-quality": named("- [Major] greets nobody (src/01-greet.ts)\n") } });
  const [once, again] = inputsOf(fixed, "01-greet");
  expect(once).not.toHaveProperty("before");
  expect(again).toMatchObject({ before: { delivered: ["src/01-greet.ts"], in_your_tree: true } });
});

test.each([{}, { depth: "short" }])(
  "the fixing agent gets the findings, not the reason why a gate failed: %j",
  async (input) => {
    const named: Part = (request) =>
      (request.round === 1 ? revise("- [Major] greets nobody (src/01-greet.ts)\n") : writes())(request);
    const found = [expect.objectContaining({ message: expect.stringContaining("greets nobody") })];
    const serious = (given: unknown): unknown[] =>
      // Every dispatch of a fix has a list of findings.
      (given as { severity: string }[]).filter(({ severity }) => severity !== "minor");
    const fixed = await play({ input, parts: { "r-quality": named } });
    expect(serious(inputsOf(fixed, "01-greet")[1]?.["findings"])).toEqual(found);
    const replanned = await play({ input, parts: { "v-feature": named } });
    expect(serious(inputsOf(replanned, "planner")[1]?.["findings"])).toEqual(found);
  },
);

test("a task whose work could not be merged is told that its work is missing", async () => {
  const both: Part = (request) => ({
    contract: { line: "DONE", message: "built" },
    files: { "src/same.ts": `${request.task}\n` },
  });
  const tasks = { a: { files: ["src/*.ts"] }, b: { files: ["src/same.*"] } };
  const played = await play({ parts: { planner: plans(tasks), implementer: both } });
  expect(inputsOf(played, "b").at(-1)).toMatchObject({ before: { delivered: ["src/same.ts"], in_your_tree: false } });
});

test("a wave that leaves the tree red is reported to the next wave and to people", async () => {
  const red: Part = (request) => builds(request.task === "01-greet" ? RED : "fine")(request);
  const played = await play({ parts: { implementer: red } });
  expect(inputsOf(played, "01-greet")[0]).not.toHaveProperty("red");
  expect(inputsOf(played, "02-shout")[0]).toMatchObject({
    red: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining("build") })]),
  });
  expect(report(played).warnings).toContainEqual(expect.stringMatching(/^after wave 1: .*build/));
});

test("an unwritten document is named in the report", async () => {
  const tasks = { a: { agent: "documentation-writer", files: ["docs/a.md"] }, b: { depends_on: ["a"] } };
  const played = await play({ parts: { planner: plans(tasks), "documentation-writer": () => errs("no words") } });
  expect(played.status).toBe("done");
  expect(report(played).warnings).toContain("a: docs/a.md was not written: no words");
});

test("the engine joins reports without findings; one finding is enough to dispatch an aggregator", async () => {
  const silent = await play({ parts: QUIET });
  expect(names(silent).filter((name) => name.endsWith("aggregator"))).toEqual([]);
  expect(silent.status).toBe("done");
  expect(silent.files["review.md"]).toContain("- Result: DONE; no aggregator was asked\n- Tier: Standard");
  expect(silent.files["memory.md"]).toContain("[engine, step-7] Updated `docs/feature/greet-people-by-name/review.md`");
  const one = await play({ parts: { ...QUIET, "v-tests": writes("- [Minor] slow\n") } });
  expect(names(one).filter((name) => name.endsWith("aggregator"))).toEqual(["v-aggregator"]);
});

test("a short run is a person's choice, and its report names the rules that it skips", async () => {
  const played = await play({ input: { depth: "short" } });
  expect(names(played)).toEqual([
    ...["researcher", "spec", "designer", "planner", "01-greet", "02-shout"],
    ...["v-build", "v-tests", "v-tasks", "v-feature", "r-quality", "r-security", "r-testing"],
  ]);
  expect(phasesOf(played)).not.toContain("3b Design review");
  expect(report(played)).toMatchObject({
    result: "DONE: Greet people by name",
    left_out: expect.arrayContaining([expect.stringMatching(/^C-10: /), expect.stringMatching(/^C-43: /)]),
  });
  expect(report(await play())).not.toHaveProperty("left_out");
});

test("a short run also continues from objections: its tables include them", async () => {
  const first: Part = (request) =>
    (request.round === 1 ? revise("# Tasks\n\n## Failing Task IDs\n\n- 02-shout\n") : writes())(request);
  const played = await play({ input: { depth: "short" }, parts: { "v-tasks": first } });
  expect(inputsOf(played, "planner")[1]).toMatchObject({ mode: "replan", failing: ["02-shout"] });
  expect(played.status).toBe("done");
});

test("every end names the work it leaves, and whether it was accepted", async () => {
  const done = await play();
  expect(report(done)).toMatchObject({ work: { tree: commits(done)[0]?.tree, accepted: true } });
  const stopped = await play({ parts: { "r-quality": writes("- [Major] greets nobody (src/01-greet.ts)\n") } });
  expect(stopped.status).toBe("error");
  expect(report(stopped)).toMatchObject({
    work: { tree: expect.stringMatching(/./), accepted: false, why: expect.stringContaining("greets nobody") },
  });
  const early = await play({ dirt: [`${FOLDER}/design.md`] });
  expect(report(early)).not.toHaveProperty("work");
});

test("the commit states the change, the reason, its passed checks, and where the details are", async () => {
  const request = "Greet people by name.\n\nThey feel like strangers.";
  const spec = writes("# Feature\n\n## Summary\n\nCallers are greeted by their name.\n\n## Memory\n\n- by name\n");
  const [made] = commits(await play({ input: { request, slug: "greet-people-by-name" }, parts: { spec } }));
  expect(made?.message.split("\n\n").slice(0, 5)).toEqual([
    "feat: greet people by name",
    "Callers are greeted by their name.",
    "Asked for: Greet people by name. They feel like strangers.",
    "Gates: build passed, test passed, lint passed; verification passed;\nreview passed.",
    `Documents: ${FOLDER}/`,
  ]);
});

test("a request equal to the subject is not repeated", async () => {
  const spec = writes("# Feature\n\n## Memory\n\n- by name\n");
  const [made] = commits(await play({ parts: { spec } }));
  expect(made?.message).toMatch(/^feat: greet people by name\n\nGates: /i);
});

test("the commit's reason is the request, not the result: the specification says what changes", async () => {
  const request = "greet() crashes when the name is empty";
  const spec = writes("# Greet nobody by a plain hello\n\n## Summary\n\nAll is well.\n");
  const [made] = commits(await play({ input: { request, slug: "greet-people-by-name" }, parts: { spec } }));
  expect(made?.message.split("\n\n").slice(0, 3)).toEqual([
    "fix: greet nobody by a plain hello",
    "All is well.",
    "Asked for: greet() crashes when the name is empty.",
  ]);
});

test("the retrospective agent gets the failures of the run", async () => {
  const first: Part = (request) => (request.round === 1 ? revise() : writes())(request);
  const played = await play({ parts: { "v-feature": first } });
  expect(inputsOf(played, "r-knowledge")[0]).toMatchObject({
    went_wrong: expect.arrayContaining([expect.stringContaining("verification did not pass")]),
  });
});

test("no dispatch contains a text that is internal to the engine, and checks take one line each", async () => {
  const played = await play();
  for (const name of ["v-build", "v-tests"]) {
    expect(inputsOf(played, name)[0]?.["evidence"]).toEqual({ seen: "build passed, test passed, lint passed" });
  }
  for (const request of played.sent) expect(JSON.stringify(given(request))).not.toMatch(/"(?:digest|snippet)"/);
});
