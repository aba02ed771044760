import { expect, test } from "vitest";
import { Fact } from "../../src/pipelines/phases/closing/repo-memory.ts";
import { finishedOf } from "../support/played.ts";
import {
  asked,
  builds,
  commits,
  createProposal,
  createReply,
  EVENTS_FILE,
  eventsOf,
  inputsOf,
  type Part,
  PLAN_FILE,
  type Played,
  phase,
  plans,
  play,
  questions,
  roles,
  SMALL,
  sentTo,
  TASK,
  turns,
} from "./paper.ts";

const good = builds(() => "export {};\n");
const reports =
  (more: object, part: Part = good): Part =>
  (request) => {
    const made = part(request);
    return "contract" in made ? { ...made, contract: { ...made.contract, ...more } } : made;
  };
const issue = (file: string, severity = "MAJOR") => ({ severity, description: `it leaks in ${file}`, file });
const isFinal = ({ input }: { input: unknown }) => (input as { review_scope: string }).review_scope === "final";
/** Approves phases, and answers the final review with these verdicts in order. */
const answerFinalReview = (...verdicts: readonly object[]): Part => {
  const last = turns(
    ...verdicts.map((fields) => () => ({ contract: createReply("CodeReviewer", fields as { status: string }) })),
  );
  const approve: Part = () => ({ contract: createReply("CodeReviewer", { status: "APPROVED" }) });
  return (request) => (isFinal(request) ? last(request) : approve(request));
};
const APPROVED = { status: "APPROVED" };
const blocking = (...files: readonly string[]) => ({
  status: "NEEDS_REVISION",
  validated_blocking_issues: files.map((file) => issue(file)),
});
const always = { policy: { final_review_gate: { enabled_by_default: true } } };
const run = (parts: Record<string, Part> = {}, more: object = {}) =>
  play({ parts: { Planner: plans(SMALL), ...parts }, ...more });
const ticked = ({ records }: Played) =>
  records.flatMap((record) => (record.type === "gate.evaluated" && record.passed ? [record.rule] : []));
const finals = (played: Played) =>
  inputsOf(played, "CodeReviewer").filter((input) => input["review_scope"] === "final");
const FINAL_FILE = `plans/artifacts/${TASK}/final_review.md`;

test("[P-38] a missing planned file stops the run for a person, unless a report explains it", async () => {
  const more = {
    files: [
      { path: "src/part-1.ts", action: "create" },
      { path: "src/extra.ts", action: "create" },
    ],
  };
  const plan = createProposal({ phases: [phase(1, 1, more), phase(2, 2)], complexity_tier: "SMALL" });
  const missing = await run({ Planner: plans(plan) });
  expect(missing.status).toBe("waiting");
  expect(asked(missing, "completion gate still blocks")?.show).toMatchObject([
    { message: "src/extra.ts was planned and is missing" },
  ]);
  const explains = reports({ not_changed: [{ file: "src/extra.ts", reason: "one module was enough" }] });
  expect((await run({ Planner: plans(plan), CoreImplementer: explains })).status).toBe("done");
});

test("[P-38] an agent's file outside the plan is discarded", async () => {
  const strays: Part = (request) => {
    const made = good(request);
    return "contract" in made ? { ...made, files: { ...made.files, "src/stray.ts": "x" } } : made;
  };
  const played = await run({ CoreImplementer: strays });
  expect(played.status).toBe("done");
  expect(Buffer.from(commits(played)[0]?.tree.slice(5) ?? "", "base64url").toString()).not.toContain("stray");
});

test("[P-38] the completion gate runs before the final review: work that fails it is not reviewed", async () => {
  const more = {
    files: [
      { path: "src/part-1.ts", action: "create" },
      { path: "src/extra.ts", action: "create" },
    ],
  };
  const plan = createProposal({ phases: [phase(1, 1, more)], complexity_tier: "SMALL" });
  const played = await run({ Planner: plans(plan) }, always);
  expect(finals(played)).toEqual([]);
  expect(played.status).toBe("waiting");
});

test("[P-66] the final review gets scope, sentinel, every changed file and the phases without executors", async () => {
  const extra = reports({ changes: [{ file: "src/part-1.ts" }, { file: "src/part-1.ts" }] });
  const played = await run({ CoreImplementer: turns(extra, good) }, always);
  expect(finals(played)).toMatchObject([
    {
      review_scope: "final",
      phase_id: 0,
      changed_files: ["src/part-1.ts", "src/part-2.ts"],
      plan_phases_snapshot: [
        { phase_id: 1, files: ["src/part-1.ts"] },
        { phase_id: 2, files: ["src/part-2.ts"] },
      ],
    },
  ]);
  expect(JSON.stringify(finals(played)[0]?.["plan_phases_snapshot"])).not.toContain("executor");
});

test("[P-66] it is not dispatched unless the policy, the tier or a person requires it", async () => {
  expect(finals(await run())).toEqual([]);
  expect(finals(await run({}, { input: { final_review: true } }))).toHaveLength(1);
  const late = await run({}, { approvals: "interactive", answers: ["approve", "y", "y", "final review", "commit"] });
  expect(finals(late)).toHaveLength(1);
  expect(late.status).toBe("done");
});

test("[P-39] the highest phase that owns the file fixes it, once, and the whole is reviewed again", async () => {
  const shared = (id: number) => ({
    files: [
      { path: `src/part-${id}.ts`, action: "create" },
      { path: "src/a.ts", action: "modify" },
    ],
  });
  const plan = createProposal({ phases: [phase(1, 1, shared(1)), phase(2, 2, shared(2))], complexity_tier: "SMALL" });
  const reviewer = answerFinalReview(blocking("src/a.ts"), APPROVED);
  const played = await run({ Planner: plans(plan), CodeReviewer: reviewer }, { ...always, base: { "src/a.ts": "a" } });
  expect(played.status).toBe("done");
  const fix = inputsOf(played, "CoreImplementer")[2];
  expect(fix).toMatchObject({ phase_id: 2, findings: [{ message: "it leaks in src/a.ts", files: ["src/a.ts"] }] });
  expect(finals(played)).toHaveLength(2);
  expect(sentTo(played, "CoreImplementer")).toHaveLength(3);
});

test("[P-39] issues that still block after one fix cycle go to a person", async () => {
  const played = await run({ CodeReviewer: answerFinalReview(blocking("src/part-1.ts")) }, always);
  expect(finals(played)).toHaveLength(2);
  expect(sentTo(played, "CoreImplementer")).toHaveLength(3);
  expect(played.status).toBe("waiting");
  expect(asked(played, "completion gate still blocks")).toMatchObject({ auto: "never" });
});

test("[P-39] a person's acceptance allows the commit, a refusal ends the run without one", async () => {
  const reviewer = answerFinalReview(blocking("src/part-1.ts"));
  const accepted = await run({ CodeReviewer: reviewer }, { ...always, answers: ["accept"] });
  expect(commits(accepted)).toHaveLength(1);
  const aborted = await run(
    { CodeReviewer: answerFinalReview(blocking("src/part-1.ts")) },
    { ...always, answers: ["abort"] },
  );
  expect(aborted).toMatchObject({ status: "error", reason: "the completion gate was not passed" });
  expect(commits(aborted)).toEqual([]);
});

test("[P-39] PreFlect decides on the fix like on any other dispatch", async () => {
  const played = await run({ CodeReviewer: answerFinalReview(blocking("src/part-1.ts"), APPROVED) }, always);
  const preflects = eventsOf(played).flatMap(({ payload }) =>
    payload.event_type === "PREFLECT_GATE" ? [payload.phase_id] : [],
  );
  expect(preflects).toEqual([1, 2, 1]);
});

test("[P-67] without serious issues the advice is recorded and the run continues", async () => {
  const minor = { status: "APPROVED", issues: [issue("src/part-1.ts", "MINOR")] };
  const played = await run({ CodeReviewer: answerFinalReview(minor) }, always);
  expect(played.files[FINAL_FILE]).toContain("- MINOR: it leaks in src/part-1.ts (src/part-1.ts)");
  expect(played.status).toBe("done");
});

test("[P-67] an issue in a file that no phase owns goes to a person immediately", async () => {
  const played = await run({ CodeReviewer: answerFinalReview(blocking("src/elsewhere.ts")) }, always);
  expect(played.status).toBe("waiting");
  expect(sentTo(played, "CoreImplementer")).toHaveLength(2);
  expect(played.files[FINAL_FILE]).toBeUndefined();
});

test("[P-67] work that could not be reviewed, and that a person accepted, says so and is not marked as reviewed", async () => {
  const more = { ...always, approvals: "interactive", answers: ["approve", "y", "y", "accept", "commit"] };
  const played = await run({ CodeReviewer: answerFinalReview({ status: "ABSTAIN" }) }, more);
  expect(commits(played)).toHaveLength(1);
  const whole = "the whole work not reviewed, accepted by Ada";
  expect(asked(played, "Commit?")?.show).toMatchObject({
    unreviewed: [whole],
    outcome: { reviewers: { CodeReviewer: "2 of 2 APPROVED, final not reviewed, accepted by Ada" } },
  });
  expect(played.files[OUTCOMES]).toContain("final not reviewed, accepted by Ada");
  expect(played.files[FINAL_FILE]).toContain("not reviewed, accepted by Ada");
  expect(finishedOf(played.records)?.caveats).toContain(whole);
  expect(ticked(played)).not.toContain("P-67");
  const reviewed = await run({ CodeReviewer: answerFinalReview(APPROVED) }, always);
  expect(ticked(reviewed)).toContain("P-67");
  expect(ticked(await run())).not.toContain("P-67");
});

test("[P-67] the reviewer never fixes: none of its dispatches may write", async () => {
  const played = await run({ CodeReviewer: answerFinalReview(blocking("src/part-1.ts"), APPROVED) }, always);
  expect(sentTo(played, "CodeReviewer").map(({ writes }) => writes)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(roles(played).slice(-3)).toEqual(["CodeReviewer", "CoreImplementer", "CodeReviewer"]);
});

const OUTCOMES = "plans/session-outcomes.md";

test("[P-40] the outcome is recorded before the summary is shown", async () => {
  const { records } = await run();
  const wrote = records.findIndex((each) => each.type === "step.finished" && each.key.includes("session-outcomes"));
  const shown = records.findIndex((each) => each.type === "approval.requested" && each.title.startsWith("All phases"));
  expect(wrote).toBeGreaterThan(0);
  expect(wrote).toBeLessThan(shown);
});

test("[P-40] the entry is appended to existing ones", async () => {
  const before = "# Session outcomes\n\n## An older one\n";
  const played = await run({}, { base: { [OUTCOMES]: before } });
  expect(played.files[OUTCOMES]?.startsWith(before)).toBe(true);
  expect(played.files[OUTCOMES]).toContain("## Add parts");
});

test("[P-78] the entry has what was planned, done and learned, and how the reviewers performed", async () => {
  const rejected = { ...issue("src/part-1.ts"), validation_status: "rejected" };
  const reviewer: Part = () => ({ contract: createReply("CodeReviewer", { status: "APPROVED", issues: [rejected] }) });
  const fixable: Part = () => ({
    contract: createReply("CoreImplementer", {
      status: "FAILED",
      failure_classification: "fixable",
      summary: "no import",
    }),
  });
  const entry = (await run({ CoreImplementer: turns(fixable, good), CodeReviewer: reviewer })).files[OUTCOMES];
  for (const line of [
    `- Plan: plans/${TASK}-plan.md`,
    "- Tier: SMALL",
    "- Phases: 2 of 2",
    "CodeReviewer 2 of 2 APPROVED",
    "- Status: SUCCESS",
    "- CodeReviewer false-positive rate: 100 % (2 of 2)",
    "part 1, report: fixable (no import)",
  ])
    expect(entry).toContain(line);
  expect(entry).toMatch(/- Date: \d{4}-\d\d-\d\d\n/);
  expect(entry).toMatch(/- Iterations: \d\/\d\n- Convergence: \w+/);
});

test("[P-78] a run that was given up is PARTIAL, or FAILED if nothing was done", async () => {
  const escalates: Part = () => ({
    contract: createReply("CoreImplementer", { status: "FAILED", failure_classification: "escalate" }),
  });
  const partial = await run({ CoreImplementer: turns(good, escalates) }, { answers: ["abort"] });
  expect(partial.files[OUTCOMES]).toContain("- Phases: 1 of 2");
  expect(partial.files[OUTCOMES]).toContain("- Status: PARTIAL");
  const failed = await run({ CoreImplementer: escalates }, { answers: ["abort"] });
  expect(failed.files[OUTCOMES]).toContain("- Status: FAILED");
});

test("[P-41] the summary comes before the commit, which needs approval", async () => {
  const waits = await run({}, { approvals: "interactive", answers: ["approve", "y", "y"] });
  expect(commits(waits)).toEqual([]);
  expect(questions(waits).at(-1)).toMatchObject({
    title: "All phases are complete. Commit?",
    show: {
      message: [
        "feat: Add parts\n\nAdds a few parts.\n\n- Build part 1\n- Build part 2",
        "Gates: build passed, test passed, lint passed; code review passed.",
      ].join("\n\n"),
      summary: SMALL["summary"],
      documents: expect.arrayContaining([`plans/${TASK}-plan.md`, `plans/${TASK}-phase-1-complete.md`, "NOTES.md"]),
    },
  });
  const left = await run({}, { approvals: "interactive", answers: ["approve", "y", "y", "leave"] });
  expect(left).toMatchObject({ status: "done", reason: "complete, not committed" });
  expect(commits(left)).toEqual([]);
});

test("[P-41] the question about the commit names every document that is committed with the work", async () => {
  const waits = await run({}, { approvals: "interactive", answers: ["approve", "y", "y"] });
  const { show, brief = [] } = questions(waits).at(-1) ?? {};
  const written = Object.keys(waits.files).toSorted();
  expect(written).toContain("NOTES.md");
  expect(show).toMatchObject({ documents: written });
  const section = brief.find(({ title }) => title === `And ${written.length} process documents`);
  expect(section?.lines.slice(0, -1)).toEqual([written.join(", ")]);
});

test("[P-41] the message names neither plan nor phase", async () => {
  const plan = { ...SMALL, task_title: `Phase 1 of ${TASK}-plan: add parts` };
  const played = await run({ Planner: plans(plan) });
  expect(commits(played)[0]?.message.split("\n")[0]).toBe("feat: add parts");
});

test("[P-80] a long title is cut, and repeated in full in the body", async () => {
  const plan = { ...SMALL, task_title: "Add a greeting for everybody who comes through the door at night" };
  const [subject, , ...body] = commits(await run({ Planner: plans(plan) }))[0]?.message.split("\n") ?? [];
  expect(subject).toBe("feat: Add a greeting for everybody who comes through…");
  expect(body.join(" ")).toContain(`${plan.task_title}.`);
});

test("[P-43] NOTES.md is updated at each phase boundary, and the committed one says that all phases are complete", async () => {
  const played = await run();
  const texts = played.effects.flatMap((each) =>
    each.kind === "write" && each.request.path === "NOTES.md" ? [each.request.text] : [],
  );
  expect(texts).toHaveLength(3);
  expect(texts[2]).toContain("Phase: 2 of 2: complete\nNext: nothing, it is complete");
  expect(texts[0]).toContain("Phase: 1 of 2, Part 1: complete\nNext: 2 of 2, Part 2");
  expect(texts[1]).toContain("Phase: 2 of 2, Part 2: complete\nNext: completion");
});

const fact = {
  subject: "Greeting",
  fact: "Greetings are read from one table at start",
  citations: ["src/part-1.ts:3"],
  reason: "Whoever adds one must know",
  category: "architecture",
};
const FACTS = "memories/repo/facts.ndjson";
const listFacts = (played: Played) =>
  (played.files[FACTS] ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => Fact.parse(JSON.parse(line)));

test("[P-43] a complete fact is promoted, an incomplete one is not", async () => {
  const played = await run({
    CoreImplementer: turns(reports({ facts: [fact, { ...fact, citations: undefined }] }), good),
  });
  expect(listFacts(played)).toEqual([fact]);
});

test.each([
  ["skip", []],
  ["merge", [{ ...fact, reason: "new reason", citations: ["old.ts:1", "src/part-1.ts:3"] }]],
  [
    "new",
    [
      { ...fact, citations: ["old.ts:1"] },
      { ...fact, reason: "new reason" },
    ],
  ],
])("[P-43] a person decides about a fact similar to a stored one: %s", async (choice, expected) => {
  const stored = { ...fact, citations: ["old.ts:1"] };
  const played = await run(
    { CoreImplementer: turns(reports({ facts: [{ ...fact, reason: "new reason" }] }), good) },
    {
      base: { [FACTS]: `not a fact\n${JSON.stringify(stored)}\n` },
      approvals: "interactive",
      answers: ["approve", "y", choice, "y", "commit"],
    },
  );
  expect(played.status).toBe("done");
  expect(asked(played, "A similar fact is already stored")).toMatchObject({
    choices: ["skip", "merge", "new"],
    auto: "skip",
  });
  const lines = (played.files[FACTS] ?? "").split("\n").filter(Boolean);
  expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual(expected);
  if (lines.length > 0) expect(lines[0]).toBe("not a fact");
});

test("[P-68] the files have their documented names", async () => {
  const played = await run();
  expect(Object.keys(played.files).sort()).toEqual(
    [
      "NOTES.md",
      PLAN_FILE,
      EVENTS_FILE,
      `plans/${TASK}-phase-1-complete.md`,
      `plans/${TASK}-phase-2-complete.md`,
      `plans/${TASK}-complete.md`,
      "plans/session-outcomes.md",
    ].sort(),
  );
});

test("[P-68] a finished phase reports what it did, what changed, and the result of the review", async () => {
  const text = (await run()).files[`plans/${TASK}-phase-1-complete.md`];
  expect(text).toContain("# Phase 1 — Part 1\n\nTL;DR: built phase-1");
  expect(text).toContain("## Files\n\n- src/part-1.ts");
  expect(text).toContain("## Tests\n\n- part 1 works");
  expect(text).toContain("## Review\n\n- round 1: APPROVED");
  expect(text).toContain("## Commit message\n\nfeat: Part 1");
});
