import { expect, test } from "vitest";
import type { Effect } from "../../src/core/journal/effect.ts";
import { RED } from "../support/answers/paper-world.ts";
import {
  builds,
  commits,
  crash,
  decided,
  errs,
  fails,
  first,
  given,
  inputsOf,
  names,
  type Part,
  type Played,
  plans,
  play,
  report,
  revise,
  roles,
  sentTo,
  short,
  writes,
} from "./paper.ts";

const dead = (...all: readonly string[]) => Object.fromEntries(all.map((name) => [name, fails]));
const listRounds = (played: Played, name: string): number[] =>
  sentTo(played, name)
    .filter(({ attempt }) => attempt === 1)
    .map(({ round }) => round);

const CT = ["ct-security", "ct-scalability", "ct-maintainability", "ct-strategy"];
const STUDIES = ["architecture", "impact", "dependencies", "patterns"].map((focus) => `researcher-${focus}`);

test.each([STUDIES, CT])("[C-07] %s, %s, %s and %s are dispatched at once", async (...cluster) => {
  const { records } = await play();
  const started = records.findIndex((record) => record.type === "agent.started" && record.instance === cluster[0]);
  const next = records.slice(started, started + 4);
  expect(next.map((record) => (record.type === "agent.started" ? record.instance : record.type))).toEqual(cluster);
});

test.each([
  [STUDIES, "researcher", "research/"],
  [CT, "ct-aggregator", "ct-review/"],
])("[C-07] two outputs of %j are enough for %s, after one retry each", async (cluster, joiner, folder) => {
  const [a = "", b = "", ...rest] = cluster;
  const played = await play({ parts: dead(a, b) });
  expect(played.status).toBe("done");
  expect(sentTo(played, a).map(({ attempt }) => attempt)).toEqual([1, 2]);
  const joined = inputsOf(played, joiner).findLast((input) => input["mode"] !== "focused");
  expect(joined?.inputs.map(short).filter((path) => path.startsWith(folder))).toEqual(
    rest.map((name) => `${folder}${name.replace("researcher-", "")}.md`),
  );
});

test.each([
  [STUDIES, "spec", "research failed"],
  [CT, "ct-aggregator", "the design review failed"],
])("[C-07] fewer than two of %j are a cluster ERROR", async (cluster, next, why) => {
  const played = await play({ parts: dead(...cluster.slice(1)) });
  expect(played.reason).toContain(`ERROR: ${why}: only 1 of 4 delivered`);
  expect(names(played)).not.toContain(next);
});

test.each([
  [STUDIES, "1 Research"],
  [CT, "3b Design review"],
])("[C-34] a cluster ERROR of %j halts the run", async (cluster, last) => {
  const played = await play({ parts: dead(...cluster.slice(1)) });
  expect(played).toMatchObject({ status: "error", exit: 1 });
  expect(played.sent.at(-1)?.phase).toBe(last);
});

test("[C-34] a cluster ERROR of the verifiers enters the replan rounds", async () => {
  const played = await play({ parts: { "v-tests": first(fails), "v-tasks": first(fails) } });
  expect(decided(played, "V")).toEqual(["ERROR", "DONE"]);
  expect(inputsOf(played, "planner").map((input) => input["mode"])).toEqual(["plan", "replan"]);
  expect(played.status).toBe("done");
});

test("[C-34] a cluster ERROR of the reviewers goes to the planner, without an aggregator", async () => {
  const played = await play({
    parts: { "r-quality": first(fails), "r-security": first(fails), "r-testing": first(fails) },
  });
  expect(decided(played, "R")).toEqual(["ERROR", "DONE"]);
  expect(sentTo(played, "r-aggregator")).toHaveLength(1);
  const replan = sentTo(played, "planner").at(-1);
  expect(inputsOf(played, "planner").at(-1)?.inputs.map(short)).toContain("review.md");
  const seen = replan?.rendered.find(({ path }) => short(path) === "review.md")?.text;
  expect(seen).toContain("- Because: the review did not pass: only 1 of 4 delivered");
  expect(played.status).toBe("done");
});

test("[C-08] the gate agent runs first, then the three at once, then the aggregator", async () => {
  const played = await play();
  const cluster = names(played).filter((name) => name.startsWith("v-"));
  expect(cluster).toEqual(["v-build", "v-tests", "v-tasks", "v-feature", "v-aggregator"]);
  const { records } = played;
  const built = records.findIndex((record) => record.type === "agent.finished" && record.instance === "v-build");
  const begun = records.findIndex((record) => record.type === "agent.started" && record.instance === "v-tests");
  expect(built).toBeLessThan(begun);
  expect(records.slice(begun, begun + 3).map(({ type }) => type)).toEqual(Array(3).fill("agent.started"));
});

test("[C-08] an ERROR of the gate agent skips the three and goes to the aggregator", async () => {
  const played = await play({ parts: { "v-build": first(fails) } });
  const cluster = played.sent.filter(({ role, round }) => role.startsWith("v-") && round === 1);
  expect(cluster.map(({ role, attempt }) => `${role} ${attempt}`)).toEqual([
    "v-build 1",
    "v-build 2",
    "v-aggregator 1",
  ]);
  const [input] = inputsOf(played, "v-aggregator");
  expect(input?.inputs.map(short)).toEqual(["initial-request.md", "memory.md"]);
  expect(input?.["statuses"]).toEqual({ "v-build": "ERROR" });
});

test("[C-09] there are at most three rounds of replan and fix, and the last fix is verified", async () => {
  const played = await play({ parts: { "v-tests": revise() } });
  expect(listRounds(played, "v-build")).toEqual([1, 2, 3, 4]);
  const order = played.sent.filter(({ role }) => role === "planner" || role === "v-aggregator").map(({ role }) => role);
  expect(order).toEqual([
    "planner",
    "v-aggregator",
    "planner",
    "v-aggregator",
    "planner",
    "v-aggregator",
    "planner",
    "v-aggregator",
  ]);
  expect(decided(played, "V")).toEqual(Array(4).fill("NEEDS_REVISION"));
});

test("[C-09] after the last round the review runs, with the open issues in verifier.md", async () => {
  const played = await play({ parts: { "v-tests": revise("- [Major] nothing greets (src/01-greet.ts)\n") } });
  expect(roles(played)).toContain("r-aggregator");
  expect(played.files["verifier.md"]).toContain("- Result: NEEDS_REVISION");
  expect(played.files["verifier.md"]).toContain("- [Major] nothing greets (src/01-greet.ts) (v-tests)");
});

test("[C-09] a round without objections ends the loop", async () => {
  const played = await play({ parts: { "v-tests": first(revise()) } });
  expect(listRounds(played, "v-build")).toEqual([1, 2]);
});

const SERIOUS = "# Security\n\n- [High] names are evaluated as code\n";

test("[C-10] four critics and an aggregator judge the design", async () => {
  const played = await play();
  expect(names(played).filter((name) => name.startsWith("ct-"))).toEqual([...CT, "ct-aggregator"]);
  expect(decided(played, "CT")).toEqual(["DONE"]);
});

test("[C-10] NEEDS_REVISION goes to the designer with the review, and the whole cluster reviews again", async () => {
  const played = await play({ parts: { "ct-security": first(writes(SERIOUS)) } });
  expect(inputsOf(played, "designer").map((input) => input.inputs.map(short).slice(2))).toEqual([
    ["analysis.md", "feature.md"],
    ["analysis.md", "feature.md", "design_critical_review.md", "design.md"],
  ]);
  expect(inputsOf(played, "designer")[1]?.["findings"]).toContainEqual(
    expect.objectContaining({ severity: "major", message: "names are evaluated as code" }),
  );
  for (const name of [...CT, "ct-aggregator"]) expect(listRounds(played, name)).toEqual([1, 2]);
  expect(decided(played, "CT")).toEqual(["NEEDS_REVISION", "DONE"]);
  expect(inputsOf(played, "planner")[0]).not.toHaveProperty("constraints");
});

test("[C-10] there is one revision; remaining findings become constraints for the planner, with a warning", async () => {
  const played = await play({ parts: { "ct-security": writes(SERIOUS) } });
  expect(sentTo(played, "designer")).toHaveLength(2);
  const [input] = inputsOf(played, "planner");
  expect(input?.["constraints"]).toContainEqual(expect.objectContaining({ message: "names are evaluated as code" }));
  expect(input?.inputs.map(short)).toContain("design_critical_review.md");
  expect(report(played).warnings).toContainEqual(expect.stringContaining("the critics have open findings"));
  expect(played.status).toBe("done");
});

test.each([
  ["an ERROR of v-build", "ERROR", { "v-build": fails }],
  ["two of the others in ERROR", "ERROR", dead("v-tests", "v-tasks")],
  ["two of the others missing", "ERROR", { "v-tests": () => crash, "v-feature": () => crash }],
  ["an objection beside an ERROR", "ERROR", { "v-tests": revise(), "v-tasks": fails }],
  ["an objection", "NEEDS_REVISION", { "v-feature": revise() }],
  ["one ERROR, the rest without findings", "DONE", dead("v-tests")],
  [
    "one ERROR, the rest with findings",
    "NEEDS_REVISION",
    { "v-tests": fails, "v-tasks": writes("- [Major] half done") },
  ],
  ["nothing", "DONE", {}],
])("[C-13] %s makes the aggregate %s", async (_what, status, parts) => {
  expect(decided(await play({ parts: parts as Record<string, Part> }), "V")[0]).toBe(status);
});

test("[C-13] a gap that the other verifiers make up for is noted", async () => {
  const played = await play({ parts: dead("v-tests") });
  expect(played.status).toBe("done");
  expect(played.files["verifier.md"]).toContain("- Gap: v-tests gave no result");
});

const VERIFIER = "# V\n\n## Failing Task IDs\n\n- 02-shout\n\n## Memory\n\n- shouting is broken\n";

test("[C-14] the aggregate's failing tasks go to the planner, its fixes are built, and all verify again", async () => {
  const played = await play({ parts: { "v-tasks": first(revise()), "v-aggregator": first(revise(VERIFIER)) } });
  const replan = inputsOf(played, "planner")[1];
  expect(replan).toMatchObject({ mode: "replan", failing: ["02-shout"] });
  expect(replan?.inputs.map(short)).toEqual([
    "initial-request.md",
    "memory.md",
    "analysis.md",
    "feature.md",
    "design.md",
    "verifier.md",
    "plan.md",
  ]);
  const after = names(played).slice(names(played).lastIndexOf("planner"));
  expect(after.slice(0, 7)).toEqual([
    "planner",
    "09-repair",
    "v-build",
    "v-tests",
    "v-tasks",
    "v-feature",
    "v-aggregator",
  ]);
});

test("[C-14] a task that the planner changes is repeated, others are not", async () => {
  const tasks = { "01-greet": {}, "02-shout": {} };
  const fixes = { "02-shout": { files: ["src/02-shout.ts", "src/louder.ts"] } };
  const played = await play({ parts: { planner: plans(tasks, fixes), "v-tasks": first(revise()) } });
  expect(listRounds(played, "01-greet")).toEqual([1]);
  expect(listRounds(played, "02-shout")).toEqual([1, 2]);
});

test("[C-14] if the planner changes no task, the failing ones are repeated before the tasks that waited for them", async () => {
  const tasks = { "01-greet": {}, "02-shout": { depends_on: ["01-greet"] }, "03-guide": {} };
  const played = await play({ parts: { planner: plans(tasks, tasks), implementer: BROKEN_FIRST } });
  const order = names(played).filter((name) => /^\d|planner/.test(name));
  expect(order.slice(order.lastIndexOf("planner"))).toEqual(["planner", "01-greet", "02-shout"]);
  expect(played.status).toBe("done");
});

test("[C-14] a failing task whose work already exists may change nothing", async () => {
  const tasks = { "01-greet": {}, "02-shout": {} };
  const parts = { planner: plans(tasks, tasks), implementer: builds("x"), "v-aggregator": first(revise(VERIFIER)) };
  const played = await play({ parts });
  expect([listRounds(played, "01-greet"), listRounds(played, "02-shout")]).toEqual([[1], [1, 2]]);
  expect(played.status).toBe("done");
});

test("[C-14] a task that used all of its attempts is never left out", async () => {
  const stubborn: Part = (request) => (request.task === "01-greet" ? errs("too hard") : builds("x")(request));
  const tasks = { "01-greet": {} };
  const played = await play({ parts: { planner: plans(tasks, tasks), implementer: stubborn } });
  expect(listRounds(played, "01-greet")).toEqual([1, 2, 3, 4]);
  expect([played.status, played.reason]).toEqual(["error", expect.stringContaining("01-greet: too hard")]);
  // Documents about the work are no work, even if the review approves them.
  expect(played.reason).toContain("nothing was changed but the feature's own documents");
});

test.each(["v-tests", "r-quality"])("[C-33] NEEDS_REVISION of %s reaches its aggregator only", async (name) => {
  const played = await play({ parts: { [name]: first(revise()) } });
  const at = names(played).indexOf(name);
  const joiner = `${name.slice(0, 1)}-aggregator`;
  const next = names(played).slice(at + 1);
  expect(next.slice(0, next.indexOf(joiner)).every((other) => other.startsWith(name.slice(0, 2)))).toBe(true);
  expect(sentTo(played, name).filter(({ round }) => round === 1)).toHaveLength(1);
  const [input] = inputsOf(played, joiner);
  expect(input?.["statuses"]).toMatchObject({ [name]: "NEEDS_REVISION" });
  expect(input?.inputs.some((path) => path.endsWith(`${name}.md`))).toBe(true);
});

/** Makes the commands of these names red on a tree that contains the word. */
const failCommands =
  (...red: readonly string[]) =>
  (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
    if (effect.kind !== "check") return paper(effect);
    // The paper world answers a check with a list.
    const results = paper(effect) as { name: string; exitCode: number }[];
    return results.map((result) => (red.includes(result.name) ? result : { ...result, exitCode: 0 }));
  };

test("[C-37] a red build is an ERROR whatever v-build reports, is not retried, and closes the gate", async () => {
  const broken: Part = (request) => (request.task === "01-greet" ? builds(RED) : builds("fine"))(request);
  const played = await play({ parts: { implementer: first(broken, builds("fine")), "v-build": writes() } });
  expect(decided(played, "V")[0]).toBe("ERROR");
  const one = played.sent.filter(({ role, round }) => role.startsWith("v-") && round === 1);
  expect(one.map(({ role }) => role)).toEqual(["v-build", "v-aggregator"]);
});

test("[C-37] v-build is not retried after an ERROR over a red build", async () => {
  const played = await play({ parts: { implementer: builds(RED), "v-build": fails } });
  expect(sentTo(played, "v-build").every(({ attempt }) => attempt === 1)).toBe(true);
  expect(sentTo(played, "v-build").length).toBeGreaterThan(1);
});

test("[C-37] the build of the merged tree decides", async () => {
  const { effects } = await play();
  const checks = effects.flatMap((effect) => (effect.kind === "check" ? [effect.request] : []));
  const built = checks.filter(({ commands }) => commands.some(({ name }) => name === "build"));
  const merged = sentTo(await play(), "v-build")[0]?.tree;
  expect(built.map(({ tree }) => tree)).toContain(merged);
});

test("[A-02] red tests are an objection, whatever v-tests reports", async () => {
  const played = await play({
    parts: { implementer: first(builds(RED), builds("fine")) },
    perform: failCommands("test"),
  });
  expect(sentTo(played, "v-tests").length).toBeGreaterThan(0);
  expect(decided(played, "V")[0]).toBe("NEEDS_REVISION");
  expect(commits(played)).toEqual([]);
});

test.each([
  ["ct-aggregator", { "ct-security": first(writes(SERIOUS)) }, "CT", "NEEDS_REVISION"],
  ["v-aggregator", { "v-tests": first(revise()) }, "V", "NEEDS_REVISION"],
  ["r-aggregator", { "r-security": first(writes("- [Critical] names are code (src/01-greet.ts)")) }, "R", "ERROR"],
])("[C-43] %s is overruled if it is milder than its table", async (name, parts, gate, status) => {
  const played = await play({ parts: { [name]: writes(), ...parts } as Record<string, Part> });
  expect(decided(played, gate)[0]).toBe(status);
});

test.each([
  ["ct-aggregator", "CT", "design_critical_review.md"],
  ["v-aggregator", "V", "verifier.md"],
  ["r-aggregator", "R", "review.md"],
])("[C-43] %s stands if it is stricter than its table", async (name, gate, file) => {
  const played = await play({ parts: { [name]: first(revise()) } });
  expect(decided(played, gate)).toEqual(["NEEDS_REVISION", "DONE"]);
  expect(played.files[file]).toContain("- Result: DONE; the aggregator said DONE");
});

test.each([
  ["v-aggregator", "V"],
  ["r-aggregator", "R"],
])("[C-39] %s that fails finally is an ERROR and goes to the planner", async (name, gate) => {
  const played = await play({ parts: { [name]: (request) => (request.round === 1 ? errs() : writes()(request)) } });
  expect(decided(played, gate)[0]).toBe("ERROR");
  expect(inputsOf(played, "planner").map((input) => input["mode"])).toEqual(["plan", "replan"]);
});

const BROKEN_FIRST: Part = (request) =>
  request.task === "01-greet" && request.round === 1 ? errs() : builds(`x${request.round}`)(request);

test("[C-46] skipped waves run after the replan, before the next verification", async () => {
  const played = await play({ parts: { implementer: BROKEN_FIRST } });
  const order = names(played).filter((name) => /^\d|planner|v-build/.test(name));
  expect(order).toEqual(["planner", "01-greet", "01-greet", "v-build", "planner", "09-repair", "02-shout", "v-build"]);
  expect(played.status).toBe("done");
});

test("[C-46] they wait again if a fix fails too", async () => {
  const stubborn: Part = (request) =>
    request.task === "01-greet" || (request.task === "09-repair" && request.round < 3)
      ? errs()
      : builds(`x${request.round}`)(request);
  const fixes: Part = (request) =>
    plans(
      { "01-greet": {}, "02-shout": { depends_on: ["01-greet"] } },
      { "09-repair": { files: [`src/${request.round}.ts`] } },
    )(request);
  const played = await play({ parts: { implementer: stubborn, planner: fixes } });
  expect(listRounds(played, "02-shout")).toEqual([3]);
  expect(given(sentTo(played, "02-shout")[0] ?? played.sent[0] ?? never()).inputs.map(short)).toContain(
    "tasks/02-shout.md",
  );
});

function never(): never {
  throw new Error("nobody was sent");
}
