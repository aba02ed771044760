import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { CodeVerdict } from "../../src/pipelines/phases/contracts.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import { COMMANDS } from "../support/answers/scenario.ts";
import { finishedOf } from "../support/played.ts";
import {
  asked,
  builds,
  commits,
  createProposal,
  createReply,
  eventsOf,
  inputsOf,
  judged,
  type Part,
  type Played,
  phase,
  plans,
  play,
  roles,
  sentTo,
  TASK,
  turns,
} from "./paper.ts";

const one = (more: object = {}) => createProposal({ phases: [phase(1, 1, more)], complexity_tier: "TRIVIAL" });
const good = builds(() => "export {};\n");
const red = builds(() => RED);
const issue = { severity: "MAJOR", description: "the input is not checked", file: "src/part-1.ts" };
const advice = { severity: "MINOR", description: "a name could be better", file: "src/part-1.ts" };
const injection = { severity: "CRITICAL", description: "SQL injection", file: "src/part-1.ts" };
const reviews = (status: string, more: object = {}): Part => {
  return () => ({ contract: createReply("CodeReviewer", { status, ...more }) });
};
const blocks = reviews("NEEDS_REVISION", { issues: [issue, advice], validated_blocking_issues: [issue] });
const run = (parts: Record<string, Part>, more: object = {}) =>
  play({ parts: { Planner: plans(one()), ...parts }, ...more });
const listMisses = (played: Played) => [
  ...new Set(judged(played, "PHASE_REVIEW_GATE phase-1").flatMap(([rule, passed]) => (passed ? [] : [rule]))),
];

test("[P-23] a claim that the build passes is not enough: the engine builds", async () => {
  const claims = (request: AttemptRequest) => {
    const made = red(request);
    return "contract" in made ? { ...made, contract: { ...made.contract, build: { state: "PASS" } } } : made;
  };
  const played = await run({ CoreImplementer: claims });
  expect(listMisses(played)).toContain("P-23/build");
  expect(played.status).toBe("waiting");
  expect(sentTo(played, "CodeReviewer")).toEqual([]);
});

test("[P-23] a red build goes back to the executor with its failures, and is built again", async () => {
  const played = await run({ CoreImplementer: turns(red, good) });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "CoreImplementer")[1]).toMatchObject({
    fix_hint: expect.stringContaining("build: regression"),
  });
  const builtTrees = played.effects.flatMap((each) => (each.kind === "check" ? [each.request.tree] : []));
  expect(new Set(builtTrees).size).toBeGreaterThan(2);
});

const unbuilt = { commands: COMMANDS.filter(({ name }) => name !== "build") };

const NO_BUILD = "This project has no build command";

test("[P-23] a project without a build command is reported before any dispatch; a setting of the policy accepts it", async () => {
  const played = await run({}, unbuilt);
  expect(played.status).toBe("waiting");
  expect(asked(played, NO_BUILD)).toBeDefined();
  expect(played.sent).toEqual([]);
  const accepted = await run({}, { ...unbuilt, policy: { build_gate: { accept_not_available: true } } });
  expect(accepted.status).toBe("done");
  expect(asked(accepted, NO_BUILD)).toBeUndefined();
});

test("[P-23] a person's answer accepts it for the run, and the other commands still decide", async () => {
  const stopped = await run({}, { ...unbuilt, answers: ["stop"] });
  expect([stopped.status, stopped.sent]).toEqual(["error", []]);
  const gone = await run({}, { ...unbuilt, answers: ["go on"] });
  expect(gone.status).toBe("done");
  const told = gone.files[`plans/${TASK}-phase-1-complete.md`];
  expect(told).toContain("build: NOT_AVAILABLE, accepted by Ada");
  expect(told).not.toContain("the policy");
  const broken = await run({ CoreImplementer: red }, { ...unbuilt, answers: ["go on"] });
  expect(listMisses(broken)).toEqual(["P-25/tests"]);
  expect(commits(broken)).toEqual([]);
});

test.each(["TRIVIAL", "SMALL", "MEDIUM", "LARGE"])(
  "[P-24] a phase that changes files is reviewed at tier %s",
  async (tier) => {
    const three = createProposal({ phases: [phase(1, 1), phase(2, 1), phase(3, 1)], complexity_tier: tier });
    const played = await play({ parts: { Planner: plans(three) } });
    const phases = inputsOf(played, "CodeReviewer").flatMap((input) =>
      input["review_scope"] === "phase" ? [input["phase_id"]] : [],
    );
    expect(phases).toEqual([1, 2, 3]);
  },
);

test("[P-24] unconfirmed issues do not block; they are recorded as advice", async () => {
  const played = await run({ CodeReviewer: reviews("NEEDS_REVISION", { issues: [advice] }) });
  expect(played.status).toBe("done");
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
  expect(played.files["plans/add-three-parts-phase-1-complete.md"]).toContain("- a name could be better");
});

test("[P-24] a phase that only reads is not reviewed, and needs no build", async () => {
  const reads = createProposal({
    phases: [phase(1, 1, { executor_agent: "Researcher-subagent", files: [], tests: [] })],
    complexity_tier: "TRIVIAL",
  });
  const played = await play({ parts: { Planner: plans(reads) }, commands: [] });
  expect(roles(played)).toEqual(["CodeMapper", "Researcher", "Planner", "Researcher"]);
  expect(played.status).toBe("done");
});

const DOCS = createProposal({
  phases: [phase(1, 1, { executor_agent: "TechnicalWriter", tests: [] })],
  complexity_tier: "TRIVIAL",
});

test("[P-25] documents are complete with a review and without a build", async () => {
  const writer = builds(() => "# Parts\n", "TechnicalWriter");
  const played = await play({
    parts: { Planner: plans(DOCS), TechnicalWriter: writer },
    ...unbuilt,
    answers: ["go on"],
  });
  expect(sentTo(played, "CodeReviewer")).toHaveLength(1);
  expect(played.status).toBe("done");
});

test("[A-25] a label never overrides evidence: documents that make a check red are not complete", async () => {
  const writer = builds(() => RED, "TechnicalWriter");
  const played = await play({ parts: { Planner: plans(DOCS), TechnicalWriter: writer } });
  expect(listMisses(played)).toEqual(["A-25"]);
  expect(sentTo(played, "CodeReviewer")).toEqual([]);
  expect(commits(played)).toEqual([]);
  const repaired = turns(
    writer,
    builds(() => "# Parts\n", "TechnicalWriter"),
  );
  expect((await play({ parts: { Planner: plans(DOCS), TechnicalWriter: repaired } })).status).toBe("done");
});

test.each(["CRITICAL", "MAJOR"])(
  "[P-24] a confirmed %s issue blocks in whichever list it appears",
  async (severity) => {
    const found = { ...issue, severity, validation_status: "confirmed" };
    const played = await run({ CodeReviewer: turns(reviews("APPROVED", { issues: [found] }), reviews("APPROVED")) });
    expect(played.status).toBe("done");
    expect(inputsOf(played, "CoreImplementer")[1]).toMatchObject({
      findings: [expect.objectContaining({ message: issue.description })],
    });
    const never = await run({ CodeReviewer: reviews("APPROVED", { issues: [found] }) });
    expect(commits(never)).toEqual([]);
  },
);

const VERDICTS = ["APPROVED", "NEEDS_REVISION"];

test.each(VERDICTS)("[P-61] %s next to an open CRITICAL issue is sent back, then a person decides", async (status) => {
  const open = reviews(status, { issues: [{ ...injection, validation_status: "unvalidated" }] });
  const played = await run({ CodeReviewer: open });
  expect(inputsOf(played, "CodeReviewer")).toMatchObject([{}, { left_open: [{ description: "SQL injection" }] }]);
  expect(asked(played, "could not be reviewed")?.show).toMatchObject({ left_open: [{ description: "SQL injection" }] });
  expect(commits(played)).toEqual([]);
  const settled = reviews("APPROVED", { issues: [{ ...injection, validation_status: "rejected" }] });
  expect((await run({ CodeReviewer: turns(open, settled) })).status).toBe("done");
});

test("[P-61] an unvalidated MAJOR issue is sent back once, and then becomes advice without a question", async () => {
  const open = reviews("NEEDS_REVISION", { issues: [{ ...issue, validation_status: "unvalidated" }] });
  const played = await run({ CodeReviewer: open });
  expect(sentTo(played, "CodeReviewer")).toHaveLength(2);
  expect(asked(played, "could not be reviewed")).toBeUndefined();
  expect(played.status).toBe("done");
  const confirmed = reviews("NEEDS_REVISION", { issues: [{ ...issue, validation_status: "confirmed" }] });
  const mended = await run({ CodeReviewer: turns(open, confirmed, reviews("APPROVED")) });
  expect(sentTo(mended, "CoreImplementer")).toHaveLength(2);
});

test.each(["CRITICAL", "MAJOR"])(
  "[P-57] a %s issue without a validation status makes the answer invalid",
  (severity) => {
    const problems = (more: object) =>
      CodeVerdict.safeParse(createReply("CodeReviewer", { status: "APPROVED", ...more })).error?.issues.map(
        ({ path }) => path,
      ) ?? [];
    const silent = { ...injection, severity };
    const classified = { status: "NEEDS_REVISION", failure_classification: "fixable" };
    expect(problems({ ...classified, issues: [advice, silent] })).toEqual([["issues", 1, "validation_status"]]);
    expect(problems({ issues: [silent] })).toEqual([["issues", 0, "validation_status"]]);
    expect(problems({ ...classified, issues: [silent], validated_blocking_issues: [silent] })).toEqual([]);
    expect(problems({ issues: [advice, { ...silent, validation_status: "rejected" }] })).toEqual([]);
  },
);

test("[P-57] a reviewer that omits the validation status is asked again, and nothing is committed", async () => {
  const silent = reviews("NEEDS_REVISION", { issues: [injection] });
  const played = await run({ CodeReviewer: silent });
  expect(played.status).toBe("waiting");
  expect(commits(played)).toEqual([]);
});

test("[A-30] an inquiry that changes nothing is complete, and there is nothing to commit", async () => {
  const reads = createProposal({
    phases: [phase(1, 1, { executor_agent: "Researcher-subagent", files: [], tests: [] })],
    complexity_tier: "TRIVIAL",
  });
  const played = await play({ parts: { Planner: plans(reads) } });
  expect(played).toMatchObject({ status: "done", reason: "complete, not committed" });
  expect(asked(played, "Commit?")?.choices).not.toContain("commit");
  expect(commits(played)).toEqual([]);
});

test("[P-24] a reviewer that executes a phase has not approved what it confirms or leaves open", async () => {
  const reads = createProposal({
    phases: [phase(1, 1, { executor_agent: "CodeReviewer", files: [], tests: [] })],
    complexity_tier: "TRIVIAL",
  });
  for (const validation_status of ["confirmed", "unvalidated"]) {
    const CodeReviewer = reviews("APPROVED", { issues: [{ ...injection, validation_status }] });
    expect((await play({ parts: { Planner: plans(reads), CodeReviewer } })).status).toBe("waiting");
  }
  const rejected = reviews("APPROVED", { issues: [{ ...injection, validation_status: "rejected" }] });
  expect((await play({ parts: { Planner: plans(reads), CodeReviewer: rejected } })).status).toBe("done");
});

test("[P-19] changes of an executor to the engine's own documents are discarded, and reported", async () => {
  const path = "plans/session-outcomes.md";
  const wide = one({
    files: [
      { path: "src/part-1.ts", action: "create" },
      { path, action: "modify" },
    ],
  });
  const both: Part = (request) => {
    const made = good(request);
    return "contract" in made ? { ...made, files: { ...made.files, [path]: "# All went well\n" } } : made;
  };
  const played = await play({ parts: { Planner: plans(wide), CoreImplementer: both } });
  expect(JSON.stringify(played.records)).toContain(`${path} is outside the phase's files; the change was discarded`);
  for (const { tree } of commits(played)) expect(changesIn(tree)[path]).toBeUndefined();
});

test("[P-25] a browser run is complete with a review, even if it writes no file", async () => {
  const browser = createProposal({
    phases: [phase(1, 1, { executor_agent: "BrowserTester", files: [], tests: [] })],
    complexity_tier: "TRIVIAL",
  });
  const tester: Part = () => ({ contract: createReply("BrowserTester", { status: "COMPLETE" }) });
  const played = await play({ parts: { Planner: plans(browser), BrowserTester: tester } });
  expect(inputsOf(played, "CodeReviewer")).toMatchObject([{ changed_files: [] }]);
  expect(played.status).toBe("done");
});

test.each(["test", "lint"])("[P-25] a red %s keeps a code phase open, and is classified", async (name) => {
  let ran = 0;
  const played = await run(
    { CoreImplementer: good },
    {
      perform: (effect: { kind: string; request: { tree?: string } }, paper: (effect: unknown) => unknown) => {
        const results = paper(effect) as { name: string }[];
        if (effect.kind !== "check" || effect.request.tree === "base" || !Array.isArray(results)) return results;
        ran += 1;
        return results.map((each) => (each.name === name ? { ...each, exitCode: 1 } : each));
      },
    },
  );
  expect(ran).toBeGreaterThan(0);
  expect(listMisses(played)).toEqual([name === "test" ? "P-25/tests" : "P-25/lint"]);
  expect(inputsOf(played, "CoreImplementer")[1]).toMatchObject({
    fix_hint: expect.stringContaining(`${name}: regression`),
  });
});

test("[P-25] work that changes nothing is not complete", async () => {
  const idle: Part = () => ({ contract: createReply("CoreImplementer", { status: "COMPLETE" }) });
  const played = await run({ CoreImplementer: turns(idle, good) });
  expect(inputsOf(played, "CoreImplementer")[1]).toMatchObject({ fix_hint: "nothing was changed" });
  expect(played.status).toBe("done");
});

test("[P-59] the reviewer gets the engine's list of files, the scope and the report", async () => {
  const boasts = (request: AttemptRequest) => {
    const made = good(request);
    const changes = [{ file: "src/somewhere-else.ts" }];
    return "contract" in made ? { ...made, contract: { ...made.contract, changes } } : made;
  };
  const [input] = inputsOf(await run({ CoreImplementer: boasts }), "CodeReviewer");
  expect(input).toMatchObject({
    changed_files: ["src/part-1.ts"],
    phase_scope: { phase_id: 1, files: [{ path: "src/part-1.ts" }] },
    execution_report: { status: "COMPLETE", changes: [{ file: "src/somewhere-else.ts" }] },
    diff: "added src/part-1.ts",
  });
});

test("[P-60] confirmed issues go back to the same executor as its only revision context", async () => {
  const played = await run({ CodeReviewer: turns(blocks, reviews("APPROVED")) });
  const [, revision] = inputsOf(played, "CoreImplementer");
  expect(revision?.["findings"]).toEqual([{ severity: "major", message: issue.description, files: [issue.file] }]);
  expect(revision).not.toHaveProperty("fix_hint");
  expect(JSON.stringify(revision)).not.toContain(advice.description);
});

test("[P-60] a revision continues from the reviewed work, and is built and reviewed again", async () => {
  const played = await run({ CodeReviewer: turns(blocks, reviews("APPROVED")) });
  expect(roles(played).slice(-4)).toEqual(["CoreImplementer", "CodeReviewer", "CoreImplementer", "CodeReviewer"]);
  const [first, second] = sentTo(played, "CoreImplementer").map(({ tree }) => tree);
  expect(second).not.toBe(first);
  expect(judged(played, "PHASE_REVIEW_GATE phase-1").filter(([rule]) => rule === "P-23/build")).toHaveLength(2);
  expect(played.status).toBe("done");
});

test("[P-60] a blocking review counts as fixable: the second time a person is asked", async () => {
  const played = await run({ CodeReviewer: blocks });
  expect(sentTo(played, "CoreImplementer")).toHaveLength(2);
  expect(asked(played, "Try again?")?.title).toContain("no retry left for fixable");
  expect(commits(played)).toEqual([]);
});

test.each([
  ["ABSTAIN", reviews("ABSTAIN")],
  ["FAILED without a confirmed issue", reviews("FAILED", { issues: [advice] })],
])("[P-61] %s is no review: asked again once, then a person", async (_what, reviewer) => {
  const played = await run({ CodeReviewer: reviewer });
  expect(sentTo(played, "CodeReviewer")).toHaveLength(2);
  expect(played.status).toBe("waiting");
  expect(asked(played, "Phase 1 could not be reviewed")).toMatchObject({
    choices: ["accept", "refuse"],
    auto: "never",
  });
  expect((await run({ CodeReviewer: turns(reviewer, reviews("APPROVED")) })).status).toBe("done");
});

test("[P-61] a person may accept the phase unreviewed, or refuse it", async () => {
  const accepted = await run({ CodeReviewer: reviews("ABSTAIN") }, { answers: ["accept"] });
  expect(accepted.status).toBe("done");
  expect(finishedOf(accepted.records)?.caveats).toContain("phase 1 not reviewed, accepted by Ada");
  const unreviewed = "not reviewed: accepted unreviewed by Ada";
  const gate = eventsOf(accepted).findLast(({ payload }) => payload.event_type === "PHASE_REVIEW_GATE");
  expect(gate?.payload.reason).toBe(`all 7 rules of the gate hold; ${unreviewed}`);
  expect(accepted.files[`plans/${TASK}-phase-1-complete.md`]).toContain(`## Advisory\n\n- ${unreviewed}`);
  expect(commits(accepted)[0]?.message).toContain('"Part 1" not reviewed,\naccepted by Ada.');
  const refused = await run({ CodeReviewer: reviews("ABSTAIN") }, { answers: ["refuse", "abort"] });
  expect(refused).toMatchObject({ status: "error", reason: "phase 1: a person has to decide" });
});

test("[P-24] the decision after a review is one event, with the reviewer's confidence if nothing else decides", async () => {
  const docs = createProposal({
    phases: [phase(1, 1, { executor_agent: "TechnicalWriter", tests: [] })],
    complexity_tier: "TRIVIAL",
  });
  const parts = { Planner: plans(docs), TechnicalWriter: builds(() => "text", "TechnicalWriter") };
  const played = await play({ parts: { ...parts, CodeReviewer: reviews("APPROVED", { confidence: 0.8 }) } });
  const events = eventsOf(played).flatMap(({ payload }) =>
    payload.event_type === "PHASE_REVIEW_GATE" ? [payload] : [],
  );
  expect(events).toMatchObject([{ decision: "GO", confidence: 0.8, phase_id: 1 }]);
});
