import { expect, test } from "vitest";
import { parse } from "yaml";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { createPlanQuestion } from "../../src/pipelines/ledger/planning/planning.ts";
import { createResearchQuestion } from "../../src/pipelines/ledger/planning/research.ts";
import { formatChoiceCommands } from "../../src/views/run-status-text.ts";
import { RED } from "../support/answers/paper-world.ts";
import {
  builds,
  FOLDER,
  inputsOf,
  type Played,
  plans,
  play,
  questions,
  reporting,
  says,
  sentTo,
  task,
} from "./paper.ts";

const CONCERN = "which people?";
const concerned = says({ concerns: [{ kind: "vagueness", severity: "major", text: CONCERN }] });
const parts = { evaluator: concerned, planner: plans(task("greet")) };
const AFTER = ["researcher", "spec", "designer", "reviewer", "planner", "implementer", "verifier", "knowledge"];

const listRemarks = (played: Played, role: string): unknown[] =>
  inputsOf(played, role).map((input) => input["remarks"]);

test("the answer to a concern reaches every later agent, together with the concern", async () => {
  const answers = [{ choice: "answer", note: "all who are logged in" }, "proceed", "approve"];
  const played = await play({ approvals: "interactive", parts, answers });
  expect(played.status).toBe("done");
  const heard = [{ about: `concerns about the request: ${CONCERN}`, said: "all who are logged in" }];
  for (const role of AFTER) for (const remarks of listRemarks(played, role)) expect(remarks).toEqual(heard);
});

test("[L-36] a concern below a blocker is put to a person, and the answer command accepts a note", async () => {
  const evaluator = says({ concerns: [{ kind: "scope", severity: "minor", text: CONCERN }] });
  const played = await play({ approvals: "interactive", parts: { evaluator } });
  const [asked] = questions(played);
  expect(asked).toMatchObject({ show: [{ severity: "minor" }], words: ["answer"] });
  if (!asked) throw new Error("nobody was asked");
  const lines = formatChoiceCommands({ ...asked, run: "r" });
  expect(lines.map((line) => line.replace(/^.*--choose /, ""))).toEqual(['"go on"', 'answer --note "…"', "abort"]);
});

test("in autonomous mode the concern still reaches the specification", async () => {
  const [remarks] = listRemarks(await play({ parts }), "spec");
  expect(remarks).toEqual([{ about: expect.stringContaining(CONCERN), said: "nobody was asked" }]);
});

test("notes to the research and to the approved plan reach all later agents", async () => {
  const answers = [
    { choice: "proceed", note: "keep it small" },
    { choice: "approve", note: "leave the readme alone" },
  ];
  const played = await play({ approvals: "interactive", answers, parts: { planner: plans(task("greet")) } });
  const research = { about: "the research", said: "keep it small" };
  const plan = { about: "the plan", said: "leave the readme alone" };
  expect(listRemarks(played, "researcher")[0]).toBeUndefined();
  for (const role of ["spec", "designer", "planner"]) expect(listRemarks(played, role)[0]).toEqual([research]);
  for (const role of ["implementer", "verifier", "knowledge"])
    expect(listRemarks(played, role)[0]).toEqual([research, plan]);
});

test("a researcher that is asked for more gets the earlier findings", async () => {
  const researcher = says({ summary: "one module", findings: [{ id: "F-1", title: "a list", evidence: ["a.ts:1"] }] });
  const answers = [{ choice: "expand", note: "and the tests?" }, "proceed"];
  const played = await play({ approvals: "interactive", answers, parts: { researcher } });
  expect(inputsOf(played, "researcher")[4]).toMatchObject({
    notes: "and the tests?",
    earlier: { summary: "one module", findings: ["architecture-F-1: a list (a.ts:1)"] },
  });
  expect(listRemarks(played, "spec")[0]).toEqual([{ about: "the research", said: "and the tests?" }]);
});

test("the question after research shows the findings, names its documents and says which answer sends back", async () => {
  const researcher = says({ summary: "one module", findings: [{ id: "F-1", title: "a list", evidence: ["a.ts:1"] }] });
  const [asked] = questions(await play({ approvals: "interactive", parts: { researcher } }));
  expect(asked?.show).toContainEqual({
    focus: "impact",
    summary: "one module",
    findings: ["impact-F-1: a list (a.ts:1)"],
  });
  expect(JSON.stringify(asked?.show)).not.toContain("DONE");
});

test("a question names the documents that it is about and the answer that sends them back, if there is one", () => {
  const found = [{ focus: "impact", summary: "one module" }] as const;
  expect(createResearchQuestion({ folder: FOLDER, found, last: false })).toMatchObject({
    revises: "expand",
    words: ["other"],
    paths: [`${FOLDER}/research/impact.yaml`],
  });
  expect(createPlanQuestion({ folder: FOLDER, tasks: [], last: false })).toMatchObject({
    revises: "revise",
    words: ["revise"],
    paths: [`${FOLDER}/plan.md`, `${FOLDER}/design.md`, `${FOLDER}/feature.md`],
  });
  const last = [
    createResearchQuestion({ folder: FOLDER, found, last: true }),
    createPlanQuestion({ folder: FOLDER, tasks: [], last: true }),
  ];
  for (const question of last) expect(question).not.toHaveProperty("revises");
});

test("[L-13] a plan that changes after its approval is shown again, and the planner sees what was accepted", async () => {
  const narrower = { ...task("greet"), title: "Greet, more carefully" };
  const planner = ({ round }: AttemptRequest) => plans(round > 1 ? narrower : task("greet"), task("part"))();
  const implementer = builds(({ round, task: id }) => (round === 1 && id === "greet" ? RED : "export {};"));
  const answers = ["proceed", "approve", { choice: "approve", note: "mind the names" }];
  const played = await play({ approvals: "interactive", answers, parts: { planner, implementer } });
  expect(played.status).toBe("done");
  expect(questions(played).at(-1)).toMatchObject({
    title: "The plan has changed. Go on by the new one?",
    show: { changed: [{ id: "greet", title: "Greet, more carefully" }] },
  });
  const again = sentTo(played, "implementer").at(-1);
  expect(again?.input).toMatchObject({
    remarks: expect.arrayContaining([{ about: "the changed plan", said: "mind the names" }]),
  });
  const [first, second] = sentTo(played, "planner");
  expect(second?.tree).not.toBe(first?.tree);
});

test("[L-44] a plan that is sent back leaves no task file behind", async () => {
  const planner = (request: AttemptRequest) => plans(task(request.round === 1 ? "greet-and-shout" : "greet"))();
  const answers = ["proceed", { choice: "revise", note: "leave the shouting out" }, "approve"];
  const played = await play({ approvals: "interactive", answers, parts: { planner } });
  expect(played.status).toBe("done");
  expect(Object.keys(played.files).filter((path) => path.startsWith("tasks/"))).toEqual(["tasks/greet.yaml"]);
});

test("[L-42] a task file says that it is replaced if a replan replaces its task", async () => {
  const planner = ({ round }: AttemptRequest) => plans(task(round === 1 ? "greet" : "greet-2"))();
  const implementer = builds(({ round }) => (round === 1 ? RED : "export {};"));
  const { status, files } = await play({ parts: { planner, implementer } });
  expect(status).toBe("done");
  expect(parse(files["tasks/greet.yaml"] ?? "")).toMatchObject({ id: "greet", replaced: expect.any(String) });
  expect(parse(files["tasks/greet-2.yaml"] ?? "")).not.toHaveProperty("replaced");
});

test("[L-13] an unchanged plan is not shown again", async () => {
  const implementer = builds(({ round }) => (round === 1 ? RED : "export {};"));
  const answers = ["proceed", "approve"];
  const played = await play({
    approvals: "interactive",
    answers,
    parts: { planner: plans(task("greet")), implementer },
  });
  expect(played.status).toBe("done");
  expect(questions(played).map(({ title }) => title)).not.toContain("The plan has changed. Go on by the new one?");
});

test("[A-37] a plan that a person approved sets the kind of work; the planner's own label does not", async () => {
  const parts = { planner: plans(task("greet", { kind: "refactor" })) };
  const proofs = (asked: readonly { readonly title: string }[]) =>
    asked.filter(({ title }) => title.includes("no test is red without it"));
  const alone = await play({ parts, perform: reporting });
  expect(proofs(questions(alone))).toHaveLength(1);
  const approved = await play({ parts, perform: reporting, approvals: "interactive", answers: ["proceed", "approve"] });
  expect(approved.status).toBe("done");
  expect(proofs(questions(approved))).toEqual([]);
  const asked = questions(approved).find(({ title }) => title === "Approve the plan?");
  expect(JSON.stringify(asked?.brief)).toContain("kind: refactor, so no test is required");
  const unsaid = { planner: plans(task("greet")) };
  const feature = await play({
    parts: unsaid,
    perform: reporting,
    approvals: "interactive",
    answers: ["proceed", "approve"],
  });
  expect(proofs(questions(feature))).toHaveLength(1);
});
