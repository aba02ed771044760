import { expect, test } from "vitest";
import type { Effect } from "../../src/core/journal/effect.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import {
  ADR,
  announced,
  blocked,
  commits,
  createItem,
  fileOf,
  inputOf,
  itemOf,
  iterations,
  noted,
  type Played,
  play,
  questions,
  reportText,
  says,
  steps,
  success,
} from "./paper.ts";

const RED_WORK = says({ ...success, files: ["src/item-1.ts — the item"] }, { "src/item-1.ts": `${RED}\n` });
const TWO = [createItem(1), createItem(2)];

test("[R-20] all steps passed: the item is done, and its work is committed on the run's own branch", async () => {
  const played = await play();
  expect(itemOf(played, 1)).toEqual(createItem(1, { status: "done" }));
  expect(commits(played)).toMatchObject([{ branch: `signalbox/${played.stage.run}` }]);
  expect(commits(played)[0]?.message).toMatch(
    /^Item 1\n\nRoadmap item 1 requires:\n- it works\n\nGates: Implement, Testing, Review passed; build passed, test passed,\nlint passed\.\n\nItem: 1\n/,
  );
});

test("[R-20] any failure: the item is blocked, with reason, agent, step and category in one write", async () => {
  const played = await play({ parts: { Implement: says(blocked) } });
  expect(played.written).toHaveLength(2);
  expect(JSON.parse(played.written[1] ?? "").items[0]).toEqual(
    createItem(1, {
      status: "blocked",
      blockedReason: "the API key is missing",
      blockedBy: "Implement",
      blockedAt: "Implement",
      blockedCategory: "implementation_blocked",
    }),
  );
  expect(commits(played)).toEqual([]);
});

test("[R-20] a block is written to the file before it is reported", async () => {
  const played = await play({ parts: { Implement: says(blocked) } });
  const persisted = played.records.findLastIndex(
    (each) => each.type === "step.finished" && each.key.endsWith("/roadmap.json"),
  );
  const told = played.records.findIndex((each) => each.type === "step.started" && each.verb === "note");
  const ended = played.records.findIndex((each) => each.type === "run.finished");
  expect(persisted).toBeGreaterThan(0);
  expect(told).toBeGreaterThan(persisted);
  expect(ended).toBeGreaterThan(told);
});

test.each([
  ["done", success, 0],
  ["blocked", { ...blocked, failures: ["one"] }, 3],
])("[R-22] learnings are appended in the same write as %s", async (status, tested, exit) => {
  const parts = {
    Implement: says({ ...success, files: ["src/a.ts"], learnings: ["keep it small"] }, { "src/a.ts": "a\n" }),
    Testing: says({ ...tested, learnings: ["tests are slow"] }),
  };
  const text = JSON.stringify({ items: [createItem(1)], learnings: [{ itemId: 0, learning: "old" }] });
  const played = await play({ text, parts });
  expect(played.exit).toBe(exit);
  expect(played.written).toHaveLength(2);
  expect(JSON.parse(played.written[1] ?? "")).toMatchObject({
    items: [{ status }],
    learnings: [
      { itemId: 0, learning: "old" },
      { itemId: 1, learning: "keep it small" },
      { itemId: 1, learning: "tests are slow" },
    ],
  });
});

test("[R-24] the iteration report has item, dispatch, gates, signatures, updates and next candidate", async () => {
  const played = await play({ items: [createItem(1, { complexity: "medium", title: "Store notes" }), createItem(2)] });
  expect(reportText(played, 1)).toBe(
    [
      "## Orchestration Iteration",
      "",
      `- Run: ${played.stage.run}`,
      "- Selected item: 1 Store notes",
      "- Dispatch: Research → Architect (design) → Implement → Testing → Review",
      "- Gates: Research: pass, Architect (design): pass, Implement: pass, Testing: pass, Review: pass",
      "- Agent signatures: Research: matches, Architect (design): matches, Implement: unsigned, Testing: matches, Review: matches",
      "- State updates: 1.status ready → in_progress → done, learnings +1",
      "- Next candidate: 2 Item 2",
      "",
    ].join("\n"),
  );
  expect(reportText(played, 2)).toContain("- Next candidate: COMPLETE");
  expect([noted(played, "item"), noted(played, "next")]).toEqual(["2 Item 2", "COMPLETE"]);
  expect(iterations(played)).toMatchObject([{ selected: "1 Store notes" }, { selected: "2 Item 2" }]);
});

test("[R-24] the report of a block says which gate failed, which signature was found and what changed", async () => {
  const played = await play({ parts: { Testing: () => ({ failure: { code: "signature_mismatch" } }) } });
  const report = reportText(played);
  expect(report).toContain("- Gates: Implement: pass, Testing: fail");
  expect(report).toContain("- Agent signatures: Implement: unsigned, Testing: another value");
  expect(report).toContain("1.status ready → in_progress → blocked, 1.blockedReason, 1.blockedBy");
  expect(report).toContain("- Next candidate: STALLED");
});

test("[R-36] the report of a block names item, agent, category and reason, and includes the failures", async () => {
  const tested = { ...blocked, blockedReason: "the sum is wrong", failures: ["adds\n  expected 2\n  got 3"] };
  const played = await play({ items: [createItem(1, { title: "Add numbers" })], parts: { Testing: says(tested) } });
  expect(played.reason).toBe('item 1 "Add numbers": Testing: test_failure: the sum is wrong');
  expect(played.report).toMatchObject({
    item: { id: 1, title: "Add numbers" },
    blockedBy: "Testing",
    blockedCategory: "test_failure",
    issues: ["adds\n  expected 2\n  got 3"],
  });
  expect(reportText(played)).toContain("### Issues\n\n- adds\n    expected 2\n    got 3");
});

test("[R-36] it includes the findings of a review and the points of drift", async () => {
  const reviewed = { ...blocked, verdict: "needs_work", failures: ["🔴 src/a.ts:3 loses the last note"] };
  const review = await play({ parts: { Review: says(reviewed) } });
  expect(review.report).toMatchObject({ issues: ["🔴 src/a.ts:3 loses the last note", "looked at it"] });
});

test("[R-35] the reason in the file is one line, whatever its line breaks", async () => {
  const played = await play({ parts: { Implement: says({ ...blocked, blockedReason: "no key\nfor the\n  API" }) } });
  expect(itemOf(played, 1)["blockedReason"]).toBe("no key for the API");
});

const choices = (played: Played) => questions(played).map(({ title, choices: all }) => [title, all]);

test("[R-25] interactive mode asks between items whether to continue", async () => {
  const waiting = await play({ items: TWO, approvals: "interactive" });
  expect(waiting).toMatchObject({ status: "waiting", exit: 3 });
  expect(choices(waiting)).toEqual([["Item 1 is done. Continue with 2 Item 2?", ["continue", "stop"]]]);
  expect(steps(waiting)).toHaveLength(3);
  const gone = await play({ items: TWO, approvals: "interactive", answers: ["continue"] });
  expect(gone).toMatchObject({ status: "done", reason: "COMPLETE" });
});

test("[R-25] the question shows the commit, its files, checks, review and the next item", async () => {
  const remark = "🔵 src/a.ts:3 could be shorter\nby a line";
  const Review = says({ ...success, verdict: "ship", failures: [remark] });
  const waiting = await play({ items: TWO, approvals: "interactive", parts: { Review } });
  const { brief = [] } = questions(waiting)[0] ?? {};
  const lines = (title: string) => brief.find((section) => section.title === title)?.lines;
  expect(lines("Committed")).toEqual([expect.stringMatching(/^on signalbox\/\S+: \S/)]);
  const files = Object.keys(changesIn(commits(waiting)[0]?.tree ?? "")).toSorted();
  expect(lines("Changed files")).toEqual([files.join(", ")]);
  expect(lines("Checks")?.[0]).toContain("test passed");
  expect(lines("Review")).toEqual(["ship", "🔵 src/a.ts:3 could be shorter"]);
  expect(lines("Next")).toEqual(["2 Item 2"]);
});

test("[R-25] stop ends the run between the items", async () => {
  const played = await play({ items: TWO, approvals: "interactive", answers: ["stop"] });
  expect(played).toMatchObject({ status: "done", exit: 0, reason: "stopped after item 1" });
  expect(fileOf(played).items.map((each) => each["status"])).toEqual(["done", "ready"]);
});

test("[R-25] autonomous mode continues, and the decision is recorded as automatic", async () => {
  const played = await play({ items: TWO });
  expect(played.reason).toBe("COMPLETE");
  expect(played.records.filter((each) => each.type === "approval.decided")).toMatchObject([
    { choice: "continue", by: "automatic" },
  ]);
});

test("[R-42] no other question is asked: not after the last item, not about a block, not about a stalled roadmap", async () => {
  const complex = [createItem(1, { complexity: "complex" })];
  const ends = [
    await play({ items: complex, approvals: "interactive" }),
    await play({ parts: { Implement: says(blocked) }, approvals: "interactive" }),
    await play({ items: [createItem(1, { status: "blocked" })], approvals: "interactive" }),
    await play({ text: "{", approvals: "interactive" }),
  ];
  expect(ends.map(({ status }) => status)).toEqual(["done", "blocked", "stalled", "blocked"]);
  expect(ends.flatMap(questions)).toEqual([]);
});

test("[R-38] a red command of the item blocks it as test_failure, whatever Testing reports", async () => {
  const played = await play({
    items: [createItem(1, { verification: ["make test"] })],
    parts: { Implement: RED_WORK },
  });
  expect(itemOf(played, 1)).toMatchObject({
    status: "blocked",
    blockedBy: "Testing",
    blockedCategory: "test_failure",
    blockedReason: "red: build, test",
  });
  expect(steps(played)).toEqual(["Implement", "Testing"]);
});

const orderOf = ({ effects }: Played) =>
  effects.flatMap((effect) => {
    if (effect.kind === "attempt") return [effect.request.instance];
    const names = effect.kind === "check" ? effect.request.commands.map(({ name }) => name) : [];
    return names.length > 0 ? [names.join("+")] : [];
  });

test.each([
  ["names some of them", ["make test", "rm -rf /", "lint"]],
  ["names none", []],
])("[A-25] every configured command runs on the tree after Testing, and no other, if the item %s", async (_, said) => {
  const played = await play({ items: [createItem(1, { verification: said })] });
  // The first run is the baseline and is not repeated.
  expect(orderOf(played)).toEqual(["build+test+lint", "Implement", "Testing", "build+test+lint", "Review"]);
  const evidence = played.records.filter((each) => each.type === "evidence.recorded");
  const testing = played.records.find((each) => each.type === "agent.finished" && each.role === "Testing");
  expect(evidence.map(({ tree }) => tree)).toContain(testing?.type === "agent.finished" ? testing.after : "");
});

test("[R-38] checks of the item that are no known commands are listed as not run", async () => {
  const played = await play({ items: [createItem(1, { verification: ["make test", "look at the page"] })] });
  expect(reportText(played)).toContain("### Checks of the item that were not run\n\n- look at the page");
  expect(noted(played, "not run")).toBe("look at the page");
});

test("[A-25] a red command blocks an item that does not name it", async () => {
  const played = await play({
    items: [createItem(1, { verification: ["look at the page"] })],
    parts: { Implement: RED_WORK },
  });
  expect(itemOf(played, 1)).toMatchObject({
    status: "blocked",
    blockedCategory: "test_failure",
    blockedReason: "red: build, test",
  });
  expect(commits(played)).toEqual([]);
});

test("[A-25] the reviewer gets the commands that ran, and which of them the item names", async () => {
  const played = await play({ items: [createItem(1, { verification: ["make test", "look at the page"] })] });
  expect(inputOf(played, "Review")["verification"]).toEqual({
    ran: [
      { command: "make build", passed: true },
      { command: "make test", passed: true, named: true },
      { command: "make lint", passed: true },
    ],
    notRun: ["look at the page"],
  });
});

test("[A-25] a design that is the whole item is checked like any other, and counts as a change", async () => {
  const design = createItem(1, { title: "Architect (design)" });
  const played = await play({ items: [design] });
  expect(itemOf(played, 1)["status"]).toBe("done");
  expect(orderOf(played)).toEqual(["build+test+lint", "Architect (design)", "build+test+lint"]);
  const contract = { ...success, mode: "design", adr: ADR, interfaces: ["Store.put"] };
  const red = await play({ items: [design], parts: { Architect: says(contract, { [ADR]: RED }) } });
  expect(itemOf(red, 1)).toMatchObject({ status: "blocked", blockedCategory: "test_failure" });
  const old = await play({ items: [design], base: { [ADR]: "# Store\n" }, parts: { Architect: says(contract) } });
  expect(itemOf(old, 1)).toMatchObject({ status: "blocked", blockedReason: "no file was changed, whatever is listed" });
});

test("[A-30] an Implement that changes nothing blocks the item, whatever files it lists", async () => {
  const played = await play({ parts: { Implement: says({ ...success, files: ["src/a.ts — all of it"] }) } });
  expect(itemOf(played, 1)).toMatchObject({
    status: "blocked",
    blockedBy: "Implement",
    blockedCategory: "implementation_blocked",
    blockedReason: "no file was changed, whatever is listed",
  });
  expect(steps(played)).toEqual(["Implement"]);
});

test("[R-18] a review that ships with a blocking finding ships nothing", async () => {
  const reviewed = { ...success, verdict: "ship", failures: ["🔴 src/item-1.ts:1 exports nothing"] };
  const played = await play({ parts: { Review: says(reviewed) } });
  expect(itemOf(played, 1)).toMatchObject({
    status: "blocked",
    blockedBy: "Review",
    blockedCategory: "review_verdict",
  });
  expect(commits(played)).toEqual([]);
});

const CHANGE = { was: "1 is kept", becomes: "1 is dropped", tests: ["test/a.test.ts › keeps 1"] };

test("[A-28] changes that the item declares are declared before any dispatch, and every agent gets them", async () => {
  const played = await play({ items: [createItem(1, { announces: [CHANGE] })] });
  expect(announced(played)).toEqual([[CHANGE]]);
  const first = played.records.findIndex((each) => each.type === "agent.started");
  const said = played.records.findIndex((each) => each.type === "step.started" && each.verb === "announce");
  expect(said).toBeGreaterThan(0);
  expect(first).toBeGreaterThan(said);
  for (const step of ["Implement", "Testing", "Review"]) expect(inputOf(played, step)["announced"]).toEqual([CHANGE]);
  expect(itemOf(played, 1)).toEqual(createItem(1, { status: "done", announces: [CHANGE] }));
});

test("[A-28] a declaration of one item does not apply to the next one", async () => {
  const played = await play({ items: [createItem(1, { announces: [CHANGE] }), createItem(2)] });
  expect(announced(played)).toEqual([[CHANGE], []]);
});

test("[A-28] only the item declares: an agent that edits the roadmap changes no declaration", async () => {
  const mine = JSON.stringify({ items: [createItem(1, { announces: [CHANGE] })] });
  const files = { "src/a.ts": "a\n", "roadmap.json": mine };
  const played = await play({ parts: { Implement: says({ ...success, files: ["src/a.ts"] }, files) } });
  expect(announced(played)).toEqual([]);
  expect(reportText(played)).toContain("it may not change; the change was discarded: roadmap.json");
});

test("[A-28] a declaration that names no test is an error of the file", async () => {
  const played = await play({ items: [createItem(1, { announces: [{ ...CHANGE, tests: [] }] })] });
  expect(played).toMatchObject({ status: "blocked", reason: expect.stringContaining("announces") });
  expect(played.sent).toEqual([]);
});

test("[R-39] an implementer cannot rewrite the decision that its work is compared with", async () => {
  const Implement = says({ ...success, files: ["src/a.ts"] }, { "src/a.ts": "a\n", [ADR]: "# Anything goes\n" });
  const played = await play({ items: [createItem(1, { complexity: "medium" })], parts: { Implement } });
  expect(itemOf(played, 1)["status"]).toBe("done");
  expect(reportText(played)).toContain(
    `Implement changed a file that it may not change; the change was discarded: ${ADR}`,
  );
});

test("[R-39] discarded files of a tester are reported", async () => {
  const Testing = says(success, { "test/a.test.ts": "a\n", "src/item-1.ts": "repaired\n" });
  const played = await play({ parts: { Testing } });
  expect(reportText(played)).toContain(
    "Testing changed a file that it may not change; the change was discarded: src/item-1.ts",
  );
});

/** A world in which the engine's own check finds a weakened test. */
const tampering = {
  instead: (effect: Effect): unknown =>
    effect.kind === "check" && effect.request.inspect
      ? [
          {
            name: "tamper",
            command: "signalbox tamper",
            exitCode: 1,
            ms: 0,
            digest: "",
            snippet: "",
            findings: [WEAKER],
          },
        ]
      : undefined,
};
const WEAKER = { severity: "major", message: "tests/a.test.ts: 2 tests fewer", by: "tamper" };

test("[A-16] weakened tests block the item, unless a person says that they are part of it", async () => {
  const alone = await play(tampering);
  expect(itemOf(alone, 1)).toMatchObject({
    status: "blocked",
    blockedCategory: "test_failure",
    blockedReason: "red: tamper",
  });
  const refused = await play({ ...tampering, approvals: "interactive", answers: ["block"] });
  expect(itemOf(refused, 1)["status"]).toBe("blocked");
  expect(questions(refused)).toMatchObject([{ show: { findings: [WEAKER.message] }, auto: "block" }]);
  const accepted = await play({ ...tampering, approvals: "interactive", answers: ["accept"] });
  expect(itemOf(accepted, 1)["status"]).toBe("done");
});

test("[R-27] only status, blocked fields and learnings of the file ever change", async () => {
  const odd = `{ "owner": "eve",\t"items": [\n ${JSON.stringify({ ...createItem(2), estimate: 1.5 })},\n ${JSON.stringify(createItem(1))} ],\n "9": [ ], "1": 2.50 }`;
  const played = await play({ text: odd, parts: { Research: says(success) } });
  expect(played.checkout.get("roadmap.json")).toBe(odd.replaceAll('"ready"', '"done"'));
  const stopped = await play({ text: odd, parts: { Implement: says(blocked) } });
  const fields = { blockedReason: "the API key is missing", blockedBy: "Implement", blockedAt: "Implement" };
  const added = JSON.stringify({ status: "blocked" }).slice(1, -1);
  expect(stopped.checkout.get("roadmap.json")).toContain(added);
  expect(itemOf(stopped, 1)).toMatchObject(fields);
  expect(itemOf(stopped, 2)).toEqual({ ...createItem(2), estimate: 1.5 });
  expect(stopped.checkout.get("roadmap.json")).toContain('"9": [ ], "1": 2.50 }');
});

test("[R-43] an item starts from the tree of the last done item", async () => {
  const played = await play({ items: TWO });
  const [first, second] = played.sent.filter(({ instance }) => instance === "Implement");
  expect(first?.tree).toBe("base");
  expect(second?.tree).toBe(commits(played)[0]?.tree);
});

test("[R-43] the tree of a blocked item is committed nowhere", async () => {
  const played = await play({ items: TWO, parts: { Review: says({ ...success, verdict: "needs_work" }) } });
  expect(played.status).toBe("blocked");
  expect(commits(played)).toEqual([]);
});

test("[A-18] the committed tree is the one that Testing left and Review saw", async () => {
  const played = await play();
  const review = played.sent.find(({ instance }) => instance === "Review");
  expect(commits(played)[0]?.tree).toBe(review?.tree);
});

test("[R-21] a person sends an item back at the commit: it is blocked with their note, and its work is retained", async () => {
  const answers = [{ choice: "revise", note: "Show it with a test." }];
  const played = await play({ items: [createItem(1, { kind: "fix" })], answers });
  expect(played).toMatchObject({ status: "blocked", exit: 3 });
  expect(itemOf(played, 1)).toMatchObject({
    status: "blocked",
    blockedReason: "Show it with a test.",
    blockedAt: "Review",
  });
  expect(commits(played)).toEqual([]);
});
