import { expect, test } from "vitest";
import { changesIn } from "../support/answers/paper-world.ts";
import {
  announced,
  builds,
  commits,
  decided,
  errs,
  FOLDER,
  given,
  inputsOf,
  names,
  type Part,
  type Played,
  plans,
  play,
  questions,
  report,
  revise,
  roles,
  sentTo,
  taskFile,
  writes,
} from "./paper.ts";

const FIVE = { a: {}, b: {}, c: {}, d: {}, e: {} };
const findMoment = (played: Played, type: "agent.started" | "agent.finished", task: string): number =>
  played.records.findIndex((record) => record.type === type && record.task === task);

test("[C-05] a wave of five is split into sub-waves of four, one after the other", async () => {
  const played = await play({ parts: { planner: plans(FIVE) } });
  expect(sentTo(played, "implementer").map(({ task }) => task)).toEqual(["a", "b", "c", "d", "e"]);
  const finished = ["a", "b", "c", "d"].map((task) => findMoment(played, "agent.finished", task));
  expect(findMoment(played, "agent.started", "e")).toBeGreaterThan(Math.max(...finished));
  expect(findMoment(played, "agent.started", "d")).toBeLessThan(Math.min(...finished));
});

test("[C-05] the next sub-wave starts from the result of the one before", async () => {
  const played = await play({ parts: { planner: plans(FIVE) } });
  expect(Object.keys(changesIn(sentTo(played, "e")[0]?.tree ?? ""))).toContain("src/a.ts");
  expect(Object.keys(changesIn(sentTo(played, "d")[0]?.tree ?? ""))).not.toContain("src/a.ts");
});

test("[C-05] at most four agents work at once", async () => {
  let working = 0;
  let most = 0;
  await play({
    parts: { planner: plans(FIVE) },
    perform: async (effect, paper) => {
      if (effect.kind !== "attempt") return paper(effect);
      working += 1;
      most = Math.max(most, working);
      await new Promise((resolve) => setImmediate(resolve));
      working -= 1;
      return paper(effect);
    },
  });
  expect(most).toBe(4);
});

test("[C-11] the plan's waves run one after the other", async () => {
  const played = await play();
  expect(findMoment(played, "agent.started", "02-shout")).toBeGreaterThan(
    findMoment(played, "agent.finished", "01-greet"),
  );
});

test("[C-11] a task goes to the agent that it names; without one, or with an unknown one, to an implementer", async () => {
  const tasks = { a: { agent: "documentation-writer" }, b: {}, c: { agent: "wizard" } };
  const played = await play({ parts: { planner: plans(tasks) } });
  expect(["a", "b", "c"].map((task) => sentTo(played, task)[0]?.role)).toEqual([
    "documentation-writer",
    "implementer",
    "implementer",
  ]);
  expect(report(played).warnings).toContainEqual(
    expect.stringContaining('c.md: unknown agent "wizard"; using implementer'),
  );
});

test("[C-11] an impossible plan goes back once, with all of its problems", async () => {
  const cycle = { a: { depends_on: ["b"] }, b: { depends_on: ["a"] } };
  const repaired: Part = (request) => plans(given(request)["problems"] ? { a: {} } : cycle)(request);
  const played = await play({ parts: { planner: repaired } });
  expect(inputsOf(played, "planner")[1]?.["problems"]).toEqual([expect.stringContaining("a, b depend on each other")]);
  expect(decided(played, "plan")).toEqual([0, 1]);
});

test("[C-11] a plan that is still wrong ends the run, names file, field and value, and is not implemented", async () => {
  const bad = { a: { depends_on: ["zz"] } };
  const played = await play({ parts: { planner: plans(bad) } });
  expect(played).toMatchObject({ status: "error", exit: 1 });
  expect(played.reason).toContain(`${FOLDER}/tasks/a.md: depends_on: expected the id of a task, found "zz"`);
  expect(roles(played)).not.toContain("implementer");
});

test("[C-11] a plan without tasks is invalid", async () => {
  const played = await play({ parts: { planner: writes() } });
  expect(played.reason).toContain("expected at least one task file, found none");
});

const failing =
  (...tasks: readonly string[]): Part =>
  (request) =>
    tasks.includes(request.task) ? errs("no way") : builds(`x ${request.round}`)(request);

test("[C-12] after an implementer's second ERROR its wave finishes, the next does not start, and verification runs", async () => {
  const tasks = { ...FIVE, f: { depends_on: ["a"] } };
  const played = await play({ parts: { planner: plans(tasks), implementer: failing("a") } });
  const begun = names(played).slice(0, names(played).indexOf("v-build"));
  expect(begun.filter((name) => name === "a")).toHaveLength(2);
  expect(begun).toContain("e");
  expect(begun).not.toContain("f");
  expect(played.sent[begun.length]?.role).toBe("v-build");
});

test("[C-12] the planner is told what failed", async () => {
  const played = await play({ parts: { implementer: failing("01-greet") } });
  const replan = inputsOf(played, "planner")[1];
  expect(replan).toMatchObject({ failing: ["01-greet"] });
  expect(replan?.["findings"]).toContainEqual(
    expect.objectContaining({ message: "01-greet: no way", by: "implementer" }),
  );
});

const DOCS = { a: { agent: "documentation-writer", files: ["docs/a.md"] }, b: { depends_on: ["a"] } };

test("[C-36] a documentation-writer's ERROR is recorded and stops no later wave", async () => {
  const played = await play({ parts: { planner: plans(DOCS), "documentation-writer": () => errs("no words") } });
  expect(sentTo(played, "a")).toHaveLength(2);
  expect(names(played).indexOf("b")).toBeLessThan(names(played).indexOf("v-build"));
  expect(played.status).toBe("done");
  expect(played.files["verifier.md"]).toContain("a: no words (documentation-writer)");
});

const leaves =
  (...paths: readonly string[]): Part =>
  (request) => ({
    contract: { line: "DONE", message: "built" },
    files: Object.fromEntries([...given(request).outputs, ...paths].map((path) => [path, `${request.task}\n`])),
  });

test("[C-26] a file outside a task's list is not merged, and is a violation", async () => {
  const played = await play({ parts: { planner: plans({ a: {} }), implementer: leaves("src/other.ts") } });
  const [commit] = commits(played);
  expect(Object.keys(changesIn(commit?.tree ?? ""))).not.toContain("src/other.ts");
  expect(report(played).violations).toEqual(["implementer a: src/other.ts is not one of its files and was discarded"]);
  const finished = played.records.find((record) => record.type === "agent.finished" && record.task === "a");
  expect(finished).toMatchObject({ outside: ["src/other.ts"] });
});

const FORBIDDEN = [
  `${FOLDER}/design.md`,
  ".github/agents/implementer.agent.md",
  ".claude/agents/implementer.md",
  ".opencode/agent/implementer.md",
  ".signalbox/config.yaml",
  "LICENSE",
];

test.each(FORBIDDEN)("[C-26] an implementer never writes %s, even if its task allows everything", async (path) => {
  const played = await play({
    parts: {
      planner: plans({ a: { files: ["**"] } }),
      implementer: () => ({ contract: { line: "DONE", message: "built" }, files: { "src/a.ts": "x", [path]: "mine" } }),
    },
    protectedPaths: ["LICENSE"],
  });
  const [commit] = commits(played);
  expect(changesIn(commit?.tree ?? "")["src/a.ts"]).toBe("x");
  expect(changesIn(commit?.tree ?? "")[path]).not.toBe("mine");
  expect(report(played).violations).toEqual([expect.stringContaining(path)]);
});

test.each(["spec", "ct-security", "v-tests", "r-quality"])(
  "[C-26] %s writes nothing but its own file either",
  async (name) => {
    const greedy: Part = (request) => {
      const { files, ...rest } = { files: {}, ...writes()(request) };
      return { contract: { line: "DONE", message: "x" }, ...rest, files: { ...files, "src/x.ts": "mine\n" } };
    };
    const played = await play({ parts: { [name]: greedy } });
    expect(played.status).toBe("done");
    expect(changesIn(commits(played)[0]?.tree ?? "")["src/x.ts"]).toBeUndefined();
    expect(report(played).violations).toEqual([`${name}: src/x.ts is not one of its files and was discarded`]);
  },
);

test("[A-15] of two conflicting tasks the later is repeated on top of the other", async () => {
  const tasks = { a: { files: ["src/*.ts"] }, b: { files: ["src/{b,c}.ts"] } };
  const clash: Part = (request) => ({
    contract: { line: "DONE", message: "built" },
    files: { "src/c.ts": given(request)["findings"] ? "both\n" : `${request.task}\n` },
  });
  const played = await play({ parts: { planner: plans(tasks), implementer: clash } });
  expect(sentTo(played, "implementer").map(({ task }) => task)).toEqual(["a", "b", "b"]);
  expect(given(sentTo(played, "b")[1] ?? played.sent[0] ?? refuseDispatch())["findings"]).toMatchObject([
    { files: ["src/c.ts"] },
  ]);
  expect(changesIn(sentTo(played, "b")[1]?.tree ?? "")["src/c.ts"]).toBe("a\n");
  expect(changesIn(commits(played)[0]?.tree ?? "")["src/c.ts"]).toBe("both\n");
});

test("[A-30] a task that changes nothing has failed, whatever it reports", async () => {
  const idle: Part = (request) =>
    request.task === "a" ? { contract: { line: "DONE", message: "nothing to do" }, files: {} } : builds("x")(request);
  const played = await play({
    base: { "src/a.ts": "there already\n" },
    parts: { planner: plans({ a: {} }, { "09-repair": {} }), implementer: idle },
  });
  expect(decided(played, "V")).toEqual(["NEEDS_REVISION", "DONE"]);
  expect(inputsOf(played, "planner")[1]).toMatchObject({ failing: ["a"] });
});

test("a task that deletes files need not deliver them", async () => {
  const file = `${FOLDER}/tasks/a.md`;
  const planner: Part = (request) => ({
    ...plans({ a: {} })(request),
    contract: { line: "DONE", message: "planned" },
    files: {
      [`${FOLDER}/plan.md`]: "# Plan\n",
      [file]: (taskFile("a")[file] ?? "").replace("files: [", "deletes: [src/old.ts]\nfiles: ["),
    },
  });
  const played = await play({ parts: { planner } });
  expect(sentTo(played, "a")[0]).toMatchObject({
    writes: expect.arrayContaining(["src/a.ts", "src/old.ts"]),
    delivers: ["src/a.ts"],
  });
});

const CHANGE = {
  was: "greets in lower case",
  becomes: "greets in upper case",
  tests: ["test/greet.test.ts › greets"],
  criterion: "AC-1",
};

test("[A-28] changes that the tasks declare take effect when the plan is approved, and are shown to the approver", async () => {
  const parts = { planner: plans({ a: { kind: "fix", behaviour_changes: [CHANGE] }, b: {} }) };
  const asked = await play({ approvals: "interactive", answers: ["proceed"], parts });
  expect(questions(asked).at(-1)?.show).toMatchObject({
    waves: [[{ id: "a", kind: "fix", behaviour_changes: [CHANGE] }, { id: "b" }]],
  });
  expect(announced(asked)).toEqual([]);
  const agreed = await play({ approvals: "interactive", answers: ["proceed", "proceed"], parts });
  expect(announced(agreed)).toEqual([[CHANGE]]);
});

test("[A-28] an unreviewed plan declares nothing, and neither do fix tasks", async () => {
  const again = { ...CHANGE, becomes: "greets loudly" };
  const planner = plans({ a: { behaviour_changes: [CHANGE] } }, { "09-repair": { behaviour_changes: [again] } });
  const objects: Part = (request) => (request.round === 1 ? revise() : writes())(request);
  const parts = { planner, "v-tasks": objects };
  expect(announced(await play({ parts }))).toEqual([]);
  const agreed = await play({ approvals: "interactive", answers: ["proceed", "proceed"], parts });
  expect(announced(agreed)).toEqual([[CHANGE]]);
});

test("[A-28] an incomplete declaration sends the plan back and names the missing field", async () => {
  const { tests: _, ...half } = CHANGE;
  const played = await play({ parts: { planner: plans({ a: { behaviour_changes: [half] } }) } });
  expect(inputsOf(played, "planner")[1]?.["problems"]).toEqual([
    expect.stringContaining("tasks/a.md: behaviour_changes.0.tests: expected"),
  ]);
  expect(played.status).toBe("error");
});

function refuseDispatch(): never {
  throw new Error("nobody was sent");
}
