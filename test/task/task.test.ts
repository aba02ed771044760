import { expect, test } from "vitest";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import { task } from "../../src/pipelines/task/index.ts";
import { developer as developerRole } from "../../src/pipelines/task/roles.ts";
import { type Play, paperWorld, RED } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS, cast } from "../support/answers/scenario.ts";
import {
  announced,
  commits,
  finishedOf,
  inputsOf,
  lookAt,
  type People,
  questions,
  roles,
  sentTo,
  toEnd,
} from "../support/played.ts";
import { stage } from "../support/stage.ts";

const readContract = (answer: object) => developerRole.contract.safeParse(answer);
const REQUEST = "Greet people by their name.";
const said = { status: "done", kind: "other", subject: "Greet by name", body: "It was asked for." };
const works = (text = "export {};\n", more: object = {}): Play => ({
  contract: { ...said, ...more },
  files: { "src/greet.ts": text },
});
const idle = (more: object = {}): Play => ({ contract: { ...said, ...more } });
const review = (verdict: string, ...findings: readonly object[]): Play => ({ contract: { verdict, findings } });

type Setting = Pick<People, "answers"> & {
  readonly input?: object;
  readonly developer?: (request: AttemptRequest, turn: number) => Play;
  readonly reviewer?: (request: AttemptRequest) => Play;
};

async function play({ input = {}, developer, reviewer, answers }: Setting = {}) {
  const effects: Effect[] = [];
  const pipeline = anyInput(task);
  const turns = new Map<string, number>();
  const turnOf = ({ nonce }: AttemptRequest): number => {
    if (!turns.has(nonce)) turns.set(nonce, turns.size + 1);
    return turns.get(nonce) ?? 0;
  };
  const paper = paperWorld({
    pipeline,
    base: {},
    commands: COMMANDS,
    play: cast({
      developer: (request) => developer?.(request, turnOf(request)) ?? works(),
      reviewer: (request) => reviewer?.(request) ?? review("approve"),
    }),
  });
  const s = await stage({
    pipeline,
    perform: (effect) => {
      effects.push(effect);
      return paper(effect);
    },
    order: { input: { request: REQUEST, ...input }, approvals: "autonomous", commands: [...COMMANDS] },
  });
  const people = answers ? { answers } : {};
  return lookAt(s, effects, await toEnd(s, people));
}

test("one dispatch is enough if the checks are green: it becomes a commit with the agent's message", async () => {
  const played = await play();
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(roles(played)).toEqual(["developer"]);
  expect(inputsOf(played, "developer")).toEqual([{ request: REQUEST }]);
  expect(commits(played)).toMatchObject([{ message: expect.stringMatching(/^Greet by name\n\nIt was asked for\.\n/) }]);
});

test("[K-02] [U-05] work that breaks a check is sent back with the findings, and continues from its tree", async () => {
  const played = await play({ developer: ({ round }) => (round === 1 ? works(`${RED}\n`) : works()) });
  expect(played.status).toBe("done");
  const [first, second] = sentTo(played, "developer");
  expect(inputsOf(played, "developer")[1]).toMatchObject({
    request: REQUEST,
    findings: [{ message: expect.stringContaining("build") }, { message: expect.stringContaining("test") }],
  });
  expect(second?.tree).not.toBe(first?.tree);
});

test("[K-04] [U-06] work that is still red after two rounds of rework ends the run with exit 5, named with its tree", async () => {
  const played = await play({ developer: () => works(`${RED}\n`) });
  expect(played).toMatchObject({ status: "error", exit: 5 });
  expect(played.reason).toMatch(/^not finished after 3 rounds: .*build/);
  expect(sentTo(played, "developer")).toHaveLength(3);
  expect(finishedOf(played.records)?.report).toMatchObject({
    work: { tree: expect.any(String), accepted: false, why: expect.stringContaining("build") },
  });
  expect(commits(played)).toEqual([]);
});

test("[K-01] an answer that changed nothing is not done", async () => {
  const played = await play({ developer: ({ round }) => (round === 1 ? idle() : works()) });
  expect(inputsOf(played, "developer")[1]).toMatchObject({ findings: [{ message: "nothing was changed" }] });
  expect(played.status).toBe("done");
});

test("a reviewer runs only if a person asked for one, and gets request, change, message and checks", async () => {
  const played = await play({ input: { review: true } });
  expect(roles(played)).toEqual(["developer", "reviewer"]);
  expect(inputsOf(played, "reviewer")).toEqual([
    {
      request: REQUEST,
      delivered: { kind: "other", subject: "Greet by name", body: "It was asked for." },
      diff: expect.any(String),
      checks: expect.stringContaining("test passed"),
    },
  ]);
});

test("[K-03] a reviewer's objection sends the work back, and the next review gets it", async () => {
  const finding = { severity: "major", message: "the name is not escaped", files: ["src/greet.ts"] };
  const played = await play({
    input: { review: true },
    developer: ({ round }) => works(`export const round = ${round};\n`),
    reviewer: ({ round }) => (round === 1 ? review("revise", finding) : review("approve")),
  });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "developer")[1]).toMatchObject({ findings: [{ ...finding, by: "reviewer" }] });
  expect(inputsOf(played, "reviewer")[1]).toMatchObject({ earlier: [finding] });
});

test("[K-03] an approval with a finding that must be fixed does not count; with advice only it does, and the advice is reported", async () => {
  const heavy = await play({
    input: { review: true },
    developer: ({ round }) => works(`export const round = ${round};\n`),
    reviewer: () => review("approve", { severity: "critical", message: "it deletes the disk" }),
  });
  expect(heavy).toMatchObject({ status: "error", reason: expect.stringContaining("it deletes the disk") });
  const light = await play({
    input: { review: true },
    reviewer: () => review("approve", { severity: "minor", message: "a shorter name" }),
  });
  expect(light.status).toBe("done");
  const advice = [{ severity: "minor", message: "a shorter name", by: "reviewer" }];
  expect(finishedOf(light.records)?.report).toMatchObject({ advice });
});

const asks = { status: "question", question: "First name or surname?" };

test("[K-05] a question waits for a person in autonomous mode too, and every later dispatch has the answer", async () => {
  const developer: Setting["developer"] = (_, turn) =>
    turn === 1 ? idle(asks) : turn === 2 ? works(`${RED}\n`) : works();
  const waiting = await play({ developer });
  expect(waiting.status).toBe("waiting");
  const played = await play({ developer, answers: [{ choice: "answer", note: "The first one." }] });
  expect(played.status).toBe("done");
  expect(questions(played)).toMatchObject([{ title: "First name or surname?", auto: "never" }]);
  const answers = [{ question: "First name or surname?", answer: "The first one." }];
  expect(inputsOf(played, "developer").slice(1)).toMatchObject([{ answers }, { answers }]);
});

test("a question that a person declines to answer ends the run", async () => {
  const played = await play({ developer: () => idle(asks), answers: ["stop"] });
  expect(played).toMatchObject({ status: "blocked", exit: 3, reason: expect.stringContaining("First name") });
});

test("work that is impossible here is blocked, with the agent's reason", async () => {
  const played = await play({ developer: () => idle({ status: "blocked", body: "There is no greeter." }) });
  expect(played).toMatchObject({ status: "blocked", exit: 3, reason: "There is no greeter." });
});

test.each([
  { status: "question", question: "First name or surname?" },
  { status: "blocked", body: "There is no greeter." },
])("an answer that delivers nothing needs no commit message: $status", (answer) => {
  expect(readContract(answer)).toMatchObject({ success: true, data: answer });
  expect(readContract({ ...answer, status: "done" })).toMatchObject({ success: false });
});

test("behavior changes that a person declares in the input apply before the work", async () => {
  const change = { was: "Hello", becomes: "Good day", tests: ["greet.test.ts › says hello"] };
  const played = await play({ input: { announces: [change] } });
  expect(announced(played)).toEqual([[change]]);
  expect(played.status).toBe("done");
});

const sendsBack = { choice: "revise", note: "Show it with a test." };

test("[K-04] a person who is asked before the commit can send the work back with a note while rounds are left", async () => {
  const developer: Setting["developer"] = (_, turn) => works(`export const turn = ${turn};\n`, { kind: "fix" });
  const played = await play({ developer, answers: [sendsBack, "accept"] });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "developer").slice(1)).toMatchObject([
    { request: REQUEST, findings: [{ severity: "major", by: "exam" }] },
    { findings: [{ severity: "major", message: "Show it with a test." }, { severity: "minor" }] },
  ]);
  expect(questions(played).map(({ choices, revises }) => ({ choices, revises }))).toEqual([
    { choices: ["accept", "revise", "refuse"], revises: "revise" },
    { choices: ["accept", "refuse"] },
  ]);
  expect(finishedOf(played.records)?.report).toMatchObject({ rounds: 3 });
  expect(commits(played)).toHaveLength(1);
});

test("[A-37] work without a red test goes back once before a person is asked, whatever its author calls it", async () => {
  for (const kind of ["fix", "docs", "refactor", "other"]) {
    const developer: Setting["developer"] = (_, turn) => works(`export const turn = ${turn};\n`, { kind });
    const played = await play({ input: { request: "Fix the greeting." }, developer, answers: ["accept"] });
    const [, second, third] = inputsOf(played, "developer");
    expect(second).toMatchObject({
      findings: [{ severity: "major", message: expect.stringContaining("red without") }],
    });
    expect(third).toBeUndefined();
    expect(questions(played)).toHaveLength(1);
    expect(commits(played)).toHaveLength(1);
  }
});

test("[A-37] a refactoring that a person asks for is committed without a question", async () => {
  for (const input of [{ request: "Refactor the greeting." }, { request: "Fix it.", kind: "refactor" }]) {
    const played = await play({ input, developer: () => works("export {};\n", { kind: "refactor" }) });
    expect(played.status).toBe("done");
    expect(questions(played)).toEqual([]);
    expect(inputsOf(played, "developer")).toHaveLength(1);
  }
});

test("the reworking agent gets the earlier findings, and the kind of work that a person stated", async () => {
  const developer: Setting["developer"] = (_, turn) =>
    works(`export const turn = ${turn};\n`, { kind: "fix", body: `Round ${turn}.` });
  const played = await play({ input: { kind: "fix" }, developer, answers: [sendsBack, "accept"] });
  const [first, second] = inputsOf(played, "developer");
  expect(first).toEqual({ request: REQUEST, kind: "fix" });
  expect(second).toMatchObject({ delivered: { kind: "fix", subject: "Greet by name", body: "Round 1." } });
});

test("a question about a commit lists the files and the command that shows the change", async () => {
  const played = await play({ developer: () => works("export {};\n", { kind: "fix" }), answers: ["accept"] });
  const [asked] = questions(played);
  expect(asked?.brief).toContainEqual({ title: "Changed files", lines: ["src/greet.ts"] });
  expect(asked?.tree).toBeDefined();
  expect(commits(played)).toMatchObject([{ tree: asked?.tree }]);
});

test("[A-35] a person's refusal is quoted in every later dispatch, and in the question about the result", async () => {
  const developer: Setting["developer"] = () => works("export const same = 1;\n", { kind: "fix" });
  const played = await play({ input: { review: true }, developer, answers: [sendsBack, "accept"] });
  const told = [{ by: "Ada", note: "Show it with a test.", asked: expect.any(String), tree: expect.any(String) }];
  expect(sentTo(played, "developer").map(({ refusals }) => refusals)).toEqual([undefined, undefined, told]);
  expect(sentTo(played, "reviewer").map(({ refusals }) => refusals)).toEqual([undefined, undefined, told]);
  const [, second] = questions(played);
  expect(second?.title).toMatch(/^This is the work that Ada refused: "Show it with a test\."\. /);
  expect(second?.show).toMatchObject({ refused: [{ by: "Ada", said: "Show it with a test." }] });
});

test("a person who refuses before the commit ends the run", async () => {
  const played = await play({ developer: () => works("export {};\n", { kind: "fix" }), answers: ["refuse"] });
  expect(played.status).toBe("error");
  expect(commits(played)).toEqual([]);
});
