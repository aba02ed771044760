import { expect, test } from "vitest";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import { RED } from "../support/answers/paper-world.ts";
import {
  announced,
  builds,
  commits,
  inputsOf,
  judged,
  type Played,
  plans,
  play,
  roles,
  SLUG,
  says,
  sentTo,
  tableOf,
  task,
} from "./paper.ts";

const six = ["a", "b", "c", "d", "e", "f"].map((id) => task(id));

test("[L-14] the baseline is pinned before the first implementer starts", async () => {
  const { effects } = await play();
  const pin = effects.findIndex((each) => each.kind === "merge" && each.request.trees.includes("base"));
  const first = effects.findIndex((each) => each.kind === "attempt" && each.request.role === "implementer");
  expect(pin).toBeGreaterThan(0);
  expect(pin).toBeLessThan(first);
});

test("[L-14] a sub-wave has at most four implementers", async () => {
  const played = await play({ parts: { planner: plans(...six) } });
  const order = played.sent.filter(({ role }) => role === "implementer" || role === "verifier");
  expect(order.map(({ role }) => role)).toEqual([
    ...Array(4).fill("implementer"),
    ...Array(4).fill("verifier"),
    ...Array(2).fill("implementer"),
    ...Array(2).fill("verifier"),
  ]);
});

test("[L-14] sub-waves are sorted by dependency", async () => {
  const chain = plans(
    task("last", { depends_on: ["middle"] }),
    task("middle", { depends_on: ["first"] }),
    task("first"),
  );
  const played = await play({ parts: { planner: chain } });
  expect(sentTo(played, "implementer").map((each) => each.task)).toEqual(["first", "middle", "last"]);
});

test("[L-14] tasks that share a file never run in parallel", async () => {
  const clash = plans(task("a", { files: ["src/same.ts"] }), task("b", { files: ["src/same.ts"] }));
  const played = await play({
    parts: { planner: clash, implementer: ({ task: id }) => ({ contract: {}, files: { "src/same.ts": id } }) },
  });
  const order = played.sent.filter(({ role }) => role === "implementer" || role === "verifier");
  expect(order.map(({ role, task: id }) => `${role} ${id}`)).toEqual([
    "implementer a",
    "verifier a",
    "implementer b",
    "verifier b",
  ]);
});

const listRows = (played: Played, id: string) => tableOf(played, "anvil_checks").filter((row) => row["task_id"] === id);

test("[L-15] a task's checks run before the work and again after it", async () => {
  const { records } = await play({ parts: { planner: plans(task("greet")) } });
  const place = (phase: string): number =>
    records.findIndex((each) => each.type === "evidence.recorded" && each.task === "greet" && each.phase === phase);
  const started = records.findIndex((each) => each.type === "agent.started" && each.role === "implementer");
  expect(place("baseline")).toBeGreaterThan(0);
  expect(place("baseline")).toBeLessThan(started);
  expect(place("after")).toBeGreaterThan(started);
});

test("[L-15] a check that passed before and fails after is a regression and sends the task back", async () => {
  const once = builds(({ round, task: id }) => (round === 1 ? RED : `export const ${id} = 1;\n`));
  const played = await play({ parts: { implementer: once, planner: plans(task("greet")) } });
  expect(inputsOf(played, "planner")[1]).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({ message: expect.stringContaining("passed on the baseline and fails now") }),
    ]),
  });
  expect(played.status).toBe("done");
});

test("[L-16] EG-1 sees the task's baseline in round 0, EG-2 its checks in the current round", async () => {
  const played = await play({ parts: { planner: plans(task("greet")) } });
  const rounds = listRows(played, "greet").map((row) => [row["phase"], row["round"]]);
  expect(rounds).toContainEqual(["baseline", 0]);
  expect(rounds).toContainEqual(["after", 1]);
  expect(judged(played, "verified greet").slice(0, 2)).toEqual([
    ["EG-1", true],
    ["EG-2", true],
  ]);
});

test.each([
  ["Standard", "🟢", 2],
  ["Large", "🟢", 3],
  ["Standard", "red", 3],
])("[L-16] a task of size %s and risk %s needs %i different checks", async (size, risk, need) => {
  const played = await play({ parts: { planner: plans(task("greet", { size, risk })) } });
  const asked = played.records.find((each) => each.type === "gate.evaluated" && each.rule === "EG-2");
  expect(asked).toMatchObject({ need });
});

const stubborn = builds(({ task: id }) => (id === "shout" ? RED : `export const ${id} = 1;\n`));
const two = plans(task("greet"), task("shout"));

test("[L-17] below threshold: replan twice, then continue with confidence low", async () => {
  const played = await play({ parts: { implementer: stubborn, planner: two } });
  expect(inputsOf(played, "planner").map((input) => input["mode"])).toEqual([undefined, "replan", "replan"]);
  expect(sentTo(played, "implementer").map((each) => `${each.task} ${each.round}`)).toEqual([
    "greet 1",
    "shout 1",
    "shout 2",
    "shout 3",
  ]);
  expect(roles(played)).toContain("knowledge");
  expect(played).toMatchObject({ status: "done", exit: 7 });
});

test("[L-17] [L-18] the second round continues from the first, the third starts from the baseline", async () => {
  const played = await play({ parts: { implementer: stubborn, planner: two } });
  const trees = sentTo(played, "implementer").filter((each) => each.task === "shout");
  const files = trees.map(({ tree }) => parseContent(tree));
  expect(files[1]).toMatchObject({ "src/shout.ts": RED });
  expect(files[2]).not.toHaveProperty("src/shout.ts");
});

test("[L-54] the third round has the accepted tasks' changes and not the failed one's", async () => {
  const played = await play({ parts: { implementer: stubborn, planner: two } });
  const third = sentTo(played, "implementer").at(-1);
  expect(Object.keys(parseContent(third?.tree ?? ""))).toEqual(["src/greet.ts"]);
});

test("[L-41] every completed task has one verifier, at most four at once", async () => {
  const played = await play({ parts: { planner: plans(...six) } });
  expect(
    sentTo(played, "verifier")
      .map((each) => each.task)
      .sort(),
  ).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(countMostAtOnce(played, "verifier")).toBe(4);
});

test("[L-41] a verifier's NEEDS_REVISION counts as below threshold although every check is green", async () => {
  const once = ({ round }: AttemptRequest) => ({
    contract: { status: round === 1 ? "NEEDS_REVISION" : "DONE", findings: round === 1 ? ["no test"] : [] },
  });
  const played = await play({ parts: { verifier: once, planner: plans(task("greet")) } });
  expect(judged(played, "verified greet").map(([, passed]) => passed)).toEqual([
    ...[true, true, false, true],
    ...[true, true, true, true],
  ]);
  expect(JSON.stringify(inputsOf(played, "planner")[1]?.["findings"])).toContain("no test");
});

test("[L-41] [A-02] a verifier's DONE never overrules a red check", async () => {
  const lies = says({ status: "DONE", summary: "all tests pass" });
  const played = await play({
    parts: { implementer: builds(() => RED), verifier: lies, planner: plans(task("greet")) },
  });
  expect(judged(played, "verified greet")).toContainEqual(["EG-2", false]);
  expect(commits(played)).toEqual([]);
});

test("[L-42] a sub-wave starts when the one before it is complete", async () => {
  const { records } = await play();
  const gate = records.findIndex((each) => each.type === "gate.evaluated" && each.gate === "verified greet");
  const second = records.findIndex(
    (each) => each.type === "agent.started" && each.role === "implementer" && each.task === "shout",
  );
  expect(second).toBeGreaterThan(gate);
  expect(gate).toBeGreaterThan(0);
});

test("[L-42] a replan repeats tasks below threshold and runs new ones, but no accepted task", async () => {
  const planner = ({ round }: AttemptRequest) => ({
    contract: { tasks: [task("greet"), task("shout"), ...(round > 1 ? [task("extra")] : [])] },
  });
  const once = builds(({ task: id, round }) => (id === "shout" && round === 1 ? RED : `export const ${id} = 1;\n`));
  const played = await play({ parts: { planner, implementer: once } });
  const worked = sentTo(played, "implementer").map((each) => `${each.task} ${each.round}`);
  expect(worked.sort()).toEqual(["extra 2", "greet 1", "shout 1", "shout 2"]);
  expect(played.exit).toBe(0);
});

test("[L-42] tasks that depend on a task below threshold wait for it", async () => {
  const once = builds(({ task: id, round }) => (id === "greet" && round === 1 ? RED : `export const ${id} = 1;\n`));
  const played = await play({ parts: { implementer: once } });
  expect(sentTo(played, "implementer").map((each) => `${each.task} ${each.round}`)).toEqual([
    "greet 1",
    "greet 2",
    "shout 2",
  ]);
});

/** Makes two files red together that are green alone. */
const failTogether = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
  if (effect.kind !== "check") return paper(effect);
  const both = ["src/greet.ts", "src/shout.ts"].every((path) => path in parseContent(effect.request.tree));
  const fixed = "src/fix.ts" in parseContent(effect.request.tree);
  // The paper world returns one result per command.
  const results = paper(effect) as { exitCode: number }[];
  return results.map((each) => (both && !fixed ? { ...each, exitCode: 1 } : each));
};

test("[L-43] every check runs once on the integrated tree before code review, and a red one is below threshold", async () => {
  const planner = ({ round }: AttemptRequest) => ({
    contract: { tasks: round === 1 ? [task("greet"), task("shout")] : [task("fix")] },
  });
  const played = await play({ parts: { planner }, perform: failTogether });
  expect(judged(played, "verified greet")).toContainEqual(["EG-2", true]);
  expect(judged(played, "integrated")).toEqual([
    ["L-43", false],
    ["L-43", true],
  ]);
  const checks = listRows(played, `${SLUG}-integrated`).filter((row) => row["phase"] === "after" && row["round"] === 2);
  expect(checks.map((row) => row["check_name"])).toEqual(["build", "test", "lint"]);
  expect(played).toMatchObject({ status: "done", exit: 0 });
});

test("[A-15] of two conflicting tasks the later is below threshold, with the paths", async () => {
  const globs = plans(task("a", { files: ["src/a.ts", "docs/*.md"] }), task("b", { files: ["src/b.ts", "docs/x.md"] }));
  const both = ({ task: id, round }: AttemptRequest) => ({
    contract: {},
    files: { [`src/${id}.ts`]: id, ...(round === 1 && { "docs/x.md": id }) },
  });
  const played = await play({ parts: { planner: globs, implementer: both } });
  expect(inputsOf(played, "planner")[1]?.["findings"]).toContainEqual({
    severity: "major",
    message: "b conflicts with a task of its wave",
    files: ["docs/x.md"],
  });
  expect(sentTo(played, "implementer").map((each) => `${each.task} ${each.round}`)).toEqual(["a 1", "b 1", "b 2"]);
});

test("[L-52] the baseline of a task is measured on the tree it starts from", async () => {
  const played = await play();
  const baseline = listRows(played, "shout").find((row) => row["phase"] === "baseline");
  expect(Object.keys(parseContent(String(baseline?.["tree"])))).toEqual(["src/greet.ts"]);
});

test("[L-52] a check that was red before and shows nothing new counts neither as passed nor as failed", async () => {
  const played = await play({ base: { "old.ts": RED }, parts: { planner: plans(task("greet")) } });
  const asked = played.records.find((each) => each.type === "gate.evaluated" && each.rule === "EG-2");
  expect(asked).toMatchObject({ actual: 1, need: 2, passed: false });
  expect(judged(played, "integrated").at(-1)).toEqual(["L-43", false]);
});

/** Makes the engine's own checks green, whatever changed. */
const passOwnChecks = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
  if (effect.kind !== "check" || !effect.request.inspect) return paper(effect);
  return ["scope", "tamper", "parses"].map((name) => ({
    name,
    command: `signalbox ${name}`,
    exitCode: 0,
    ms: 0,
    digest: "",
    snippet: "",
    findings: [],
  }));
};

test("[L-53] the engine's own checks do not replace a command that is not green", async () => {
  const commands = [{ name: "test", run: "make test" }];
  const planner = plans(task("greet"));
  const made = await play({ commands, perform: passOwnChecks, parts: { planner } });
  expect(made).toMatchObject({ status: "done", exit: 0 });
  const red = await play({ commands, perform: passOwnChecks, parts: { planner }, base: { "old.ts": RED } });
  const asked = red.records.find((each) => each.type === "gate.evaluated" && each.rule === "EG-2");
  expect(asked).toMatchObject({ actual: 0, need: 2, passed: false });
  expect(commits(red)).toEqual([]);
});

test("[A-20] a command that could not run counts as failed in its round", async () => {
  const unable = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
    if (effect.kind !== "check" || !effect.request.tree.startsWith("tree-")) return paper(effect);
    // The paper world answers a check with a list.
    const results = paper(effect) as { name: string }[];
    return results.map((each) =>
      each.name === "test" ? { ...each, exitCode: null, notRun: "no such program" } : each,
    );
  };
  const played = await play({ perform: unable, parts: { planner: plans(task("greet")) } });
  expect(judged(played, "verified greet").filter(([rule]) => rule === "EG-2")).toEqual(Array(3).fill(["EG-2", false]));
  expect(played.files["verification-reports/greet.yaml"]).toContain("outcome: not-run");
  expect(played.files["evidence-bundle.md"]).toContain("everything together: build passed, test passed, lint passed");
  expect(commits(played)).toEqual([]);
});

test.each(["interactive", "autonomous"] as const)(
  "[L-53] a plan that needs unconfigured checks asks a person, in %s mode",
  async (approvals) => {
    const needy = plans(task("greet", { checks: ["test", "scope", "e2e"] }));
    const answers = approvals === "interactive" ? ["proceed", "approve"] : [];
    const asked = await play({ approvals, parts: { planner: needy }, answers });
    expect(asked).toMatchObject({ status: "waiting", exit: 3 });
    expect(asked.records.findLast((each) => each.type === "approval.requested")).toMatchObject({
      show: { missing: ["greet: e2e"] },
      auto: "never",
    });
    expect(roles(asked)).not.toContain("implementer");
    const gone = await play({ approvals, parts: { planner: needy }, answers: [...answers, "go on"] });
    expect(gone.status).toBe("done");
    const stopped = await play({ approvals, parts: { planner: needy }, answers: [...answers, "abort"] });
    expect(stopped).toMatchObject({ status: "error", reason: expect.stringContaining("aborted") });
  },
);

test("a plan whose tasks wait for each other, or share an id, is an invalid answer", async () => {
  const circle = plans(task("a", { depends_on: ["b"] }), task("b", { dependencies: ["a"] }));
  const twice = plans(task("a"), task("a"));
  for (const planner of [circle, twice]) {
    const played = await play({ parts: { planner } });
    expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("planner failed") });
    expect(sentTo(played, "planner")).toHaveLength(2);
  }
});

const CHANGE = {
  was: "greets in lower case",
  becomes: "greets in upper case",
  tests: ["test/greet.test.ts › greets"],
  criterion: "AC-1",
};

test("[A-28] changes that a plan declares take effect when it is approved, are shown to the approver, and are in its files", async () => {
  const planner = plans(task("greet", { kind: "Feature", behaviour_changes: [CHANGE] }), task("shout"));
  const asked = await play({ approvals: "interactive", answers: ["proceed"], parts: { planner } });
  expect(asked.records.findLast((each) => each.type === "approval.requested")?.show).toMatchObject({
    about: [{ id: "greet", kind: "feature", behaviour_changes: [CHANGE] }, { id: "shout" }],
    excuses: [expect.stringContaining("greets in lower case")],
  });
  expect(announced(asked)).toEqual([]);
  const played = await play({ approvals: "interactive", answers: ["proceed", "approve"], parts: { planner } });
  expect(announced(played)).toEqual([[CHANGE]]);
  expect(played.files["tasks/greet.yaml"]).toContain("becomes: greets in upper case");
  expect(played.files["plan.md"]).toContain("Was: greets in lower case; Becomes: greets in upper case");
  expect(inputsOf(played, "implementer")[0]).toMatchObject({ task: { behaviour_changes: [CHANGE] } });
});

test("[A-28] an unreviewed plan declares nothing", async () => {
  const planner = plans(task("greet", { behaviour_changes: [CHANGE] }));
  expect(announced(await play({ parts: { planner } }))).toEqual([]);
});

test("[A-28] neither does a replan in mid-run, or a plan with nothing to declare", async () => {
  const again = { ...CHANGE, becomes: "greets loudly" };
  const planner = ({ input }: AttemptRequest) => ({
    contract: {
      tasks: [task("greet", { behaviour_changes: (input as { mode?: string }).mode ? [again] : [CHANGE] })],
    },
  });
  const once = builds(({ round }) => (round === 1 ? RED : "export {};"));
  const said = { approvals: "interactive" as const, answers: ["proceed", "approve"] };
  expect(announced(await play({ ...said, parts: { planner, implementer: once } }))).toEqual([[CHANGE]]);
  expect(announced(await play(said))).toEqual([]);
});

test("[A-28] an incomplete declaration is an invalid answer", async () => {
  const { tests: _, ...half } = CHANGE;
  const played = await play({ parts: { planner: plans(task("greet", { behaviour_changes: [half] })) } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("behaviour_changes") });
  expect(sentTo(played, "planner")).toHaveLength(2);
});

test("[A-30] a task that changes nothing is sent back, whatever it lists", async () => {
  const idle = () => ({ contract: { changes: [{ path: "src/greet.ts", description: "greets" }] } });
  const played = await play({ parts: { implementer: idle, planner: plans(task("greet")) } });
  expect(judged(played, "verified greet").filter(([rule]) => rule === "A-30")).toEqual(Array(3).fill(["A-30", false]));
  expect(JSON.stringify(inputsOf(played, "planner")[1]?.["findings"])).toContain("nothing was changed");
  expect(commits(played)).toEqual([]);
});

test("[A-30] a task that leaves its refused work unchanged is not done either", async () => {
  const parts = {
    implementer: builds(() => "export {};"),
    verifier: ({ round }: AttemptRequest) => ({ contract: { status: round === 1 ? "NEEDS_REVISION" : "DONE" } }),
    planner: plans(task("greet")),
  };
  const played = await play({ parts });
  // The third round starts without the work, so it is new again.
  expect(judged(played, "verified greet").filter(([rule]) => rule === "A-30")).toEqual([
    ["A-30", true],
    ["A-30", false],
    ["A-30", true],
  ]);
});

test("an implementer cannot change the documents of other roles, and the attempt is a finding", async () => {
  const path = `docs/feature/${SLUG}/notes.md`;
  const greedy = ({ task: id }: AttemptRequest) => ({ contract: {}, files: { [`src/${id}.ts`]: "x", [path]: "mine" } });
  const planner = plans(task("greet", { files: ["**"] }));
  const played = await play({ parts: { implementer: greedy, planner } });
  expect(Object.keys(parseContent(commits(played)[0]?.tree ?? ""))).toEqual(["src/greet.ts"]);
  expect(played.files["evidence-bundle.md"]).toContain(`${path} is outside the task's files and was discarded`);
});

test("implementers write only files that their task names", async () => {
  const strays = ({ task: id }: AttemptRequest) => ({
    contract: {},
    files: { [`src/${id}.ts`]: "x", "stray.ts": "x" },
  });
  const played = await play({ parts: { implementer: strays, planner: plans(task("greet")) } });
  expect(played.files["implementation-reports/greet.yaml"]).toContain("outside:\n  - stray.ts");
  expect(Object.keys(parseContent(commits(played)[0]?.tree ?? ""))).toEqual(["src/greet.ts"]);
});

function countMostAtOnce({ records }: Played, role: string): number {
  let now = 0;
  let most = 0;
  for (const each of records) {
    if (each.type === "agent.started" && each.role === role) now += 1;
    if (each.type === "agent.finished" && each.role === role) now -= 1;
    most = Math.max(most, now);
  }
  return most;
}

/** Returns what a tree of the paper world adds to the base: its id is its content. */
function parseContent(tree: string): Record<string, string> {
  if (!tree.startsWith("tree-")) return {};
  return Object.fromEntries(JSON.parse(Buffer.from(tree.slice(5), "base64url").toString()) as [string, string][]);
}
