import { expect, test } from "vitest";
import { parse } from "yaml";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { RED } from "../support/answers/paper-world.ts";
import {
  approve,
  builds,
  commits,
  fails,
  finishedOf,
  inputsOf,
  judged,
  plans,
  play,
  questions,
  reporting,
  roles,
  SLUG,
  sentTo,
  tableOf,
  task,
} from "./paper.ts";

const DESIGN = "3b Design review";
const CODE = "7 Code review";
type Verdicts = Partial<Record<keyof typeof approve, string>>;

/** Reviewers who approve, except where the function returns other verdicts. */
const createReviewers = (differ: (request: AttemptRequest) => Verdicts | undefined) => ({
  reviewer: (request: AttemptRequest) => ({ contract: { verdicts: { ...approve, ...differ(request) } } }),
});
const sentinel = (request: AttemptRequest): boolean => request.instance === "security-sentinel";
const at = (phase: string, verdicts: Verdicts) => (request: AttemptRequest) =>
  request.phase === phase && sentinel(request) ? verdicts : undefined;

test("[L-07] three reviewers look at the design at once, each at three categories", async () => {
  const played = await play();
  const design = sentTo(played, "reviewer").filter(({ phase }) => phase === DESIGN);
  expect(design.map(({ instance }) => instance)).toEqual([
    "security-sentinel",
    "architecture-guardian",
    "pragmatic-verifier",
  ]);
  const started = played.records.findIndex((each) => each.type === "agent.started" && each.role === "reviewer");
  const three = played.records.slice(started, started + 3);
  expect(three.map(({ type }) => type)).toEqual(["agent.started", "agent.started", "agent.started"]);
});

test("[L-37] a review writes nine rows per round: three reviewers, three categories, under its own task", async () => {
  const played = await play();
  const rows = tableOf(played, "anvil_checks").filter((row) => row["phase"] === "review");
  const design = rows.filter((row) => row["task_id"] === `${SLUG}-design-review`);
  const names = [...new Set(design.map((row) => row["check_name"]))];
  expect(rows).toHaveLength(18);
  expect(design).toHaveLength(9);
  expect(names).toEqual(["review-design-security", "review-design-architecture", "review-design-correctness"]);
  expect(new Set(rows.map((row) => row["task_id"]))).toEqual(new Set([`${SLUG}-design-review`, `${SLUG}-code-review`]));
});

test("[L-08] the design review evaluates EG-3, EG-5, EG-4, EG-6 on the ledger, for this run, task and round", async () => {
  const played = await play();
  const asked = played.records.flatMap((each) =>
    each.type === "gate.evaluated" && each.gate === "design review" && each.rule.startsWith("EG") ? [each] : [],
  );
  expect(asked.map(({ rule, passed }) => [rule, passed])).toEqual([
    ["EG-3", true],
    ["EG-5", true],
    ["EG-4", true],
    ["EG-6", true],
  ]);
  for (const { params } of asked)
    expect(params).toMatchObject({ run: played.stage.run, task: `${SLUG}-design-review`, round: 1 });
});

test.each(["security", "architecture", "correctness"])(
  "[L-09] a NULL verdict for %s is no approval: the answer is refused",
  async (category) => {
    const nulls = (request: AttemptRequest) => ({
      contract: { verdicts: { ...approve, ...(sentinel(request) && { [category]: null }) } },
    });
    const played = await play({ parts: { reviewer: nulls } });
    expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("EG-3") });
  },
);

test("[L-09] a missing verdict is no approval", async () => {
  const played = await play({ parts: { reviewer: () => ({ contract: { verdicts: { security: "approve" } } }) } });
  expect(played.status).toBe("error");
  expect(judged(played, "design review")).toContainEqual(["EG-6", false]);
});

test("[L-10] one full approval is not enough: one revision, reviewed again by all three as round 2", async () => {
  const split = createReviewers(({ phase, round, instance }) =>
    phase === DESIGN && round === 1 && instance !== "pragmatic-verifier"
      ? { correctness: "needs_revision" }
      : undefined,
  );
  const played = await play({ parts: split });
  expect(played.status).toBe("done");
  const design = sentTo(played, "reviewer").filter(({ phase }) => phase === DESIGN);
  expect(design.map(({ round }) => round)).toEqual([1, 1, 1, 2, 2, 2]);
  expect(inputsOf(played, "designer")[1]).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ message: "correctness: needs_revision" })]),
  });
});

test("[L-10] a security objection from one of three forces the revision", async () => {
  const dissent = createReviewers((request) =>
    request.round === 1 ? at(DESIGN, { security: "needs_revision" })(request) : undefined,
  );
  const played = await play({ parts: dissent });
  expect(roles(played).filter((role) => role === "designer")).toHaveLength(2);
  expect(played.status).toBe("done");
});

test("[L-10] an objection from one of three in another category is logged, and the run continues", async () => {
  const played = await play({ parts: createReviewers(at(DESIGN, { architecture: "needs_revision" })) });
  expect(roles(played).filter((role) => role === "designer")).toHaveLength(1);
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(played.files["evidence-bundle.md"]).toContain("architecture: needs_revision (security-sentinel)");
  expect(played.files["evidence-bundle.md"]).toContain("Confidence: Medium");
});

test("[L-10] a design that is refused twice ends the run as ERROR", async () => {
  const refused = createReviewers((request) =>
    request.phase === DESIGN ? { correctness: "needs_revision" } : undefined,
  );
  const played = await play({ parts: refused });
  expect(played).toMatchObject({ status: "error", exit: 1, reason: "the design was refused 2 times" });
  expect(roles(played)).not.toContain("planner");
});

test.each([
  [DESIGN, "security"],
  [DESIGN, "correctness"],
  [CODE, "architecture"],
])("[L-11] a blocker at %s in the category %s ends the run immediately", async (phase, category) => {
  const played = await play({ parts: createReviewers(at(phase, { [category]: "blocker" })) });
  const scope = phase === DESIGN ? "design" : "code";
  expect(played).toMatchObject({
    status: "error",
    exit: 1,
    reason: expect.stringContaining(`${scope} review blocked in round 1`),
  });
  expect(sentTo(played, "reviewer").filter((each) => each.phase === phase)).toHaveLength(3);
  expect(commits(played)).toEqual([]);
});

test("[L-11] a finding that its reviewer marks as a blocker blocks, whatever the verdict", async () => {
  const finding = { severity: "BLOCKER", message: "keys are printed" };
  const played = await play({ parts: { reviewer: () => ({ contract: { verdicts: approve, findings: [finding] } }) } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("keys are printed") });
});

test("[L-19] code review: fix, verify again, review again by all three", async () => {
  const objects = createReviewers(({ phase, round }) =>
    phase === CODE && round === 1 ? { correctness: "needs_revision" } : undefined,
  );
  const played = await play({ parts: { ...objects, planner: plans(task("greet")) } });
  const fix = `${SLUG}-review-fix`;
  const after = played.sent.slice(played.sent.findIndex((each) => each.role === "implementer" && each.round === 2));
  expect(after.map(({ role, task: of }) => [role, of])).toEqual([
    ["implementer", "greet"],
    ["verifier", "greet"],
    ...Array.from({ length: 3 }, () => ["reviewer", `${SLUG}-code-review`]),
    ["knowledge", ""],
  ]);
  expect(judged(played, `verified ${fix}`)).toContainEqual(["EG-2", true]);
  expect(played).toMatchObject({ status: "done", exit: 0 });
});

test("[L-19] after two rounds with findings they are known issues, and confidence is low", async () => {
  const objects = createReviewers(({ phase }) => (phase === CODE ? { architecture: "needs_revision" } : undefined));
  const played = await play({ parts: objects });
  const code = sentTo(played, "reviewer").filter(({ phase }) => phase === CODE);
  expect(code.map(({ round }) => round)).toEqual([1, 1, 1, 2, 2, 2]);
  expect(played).toMatchObject({ status: "done", exit: 7 });
  expect(played.files["evidence-bundle.md"]).toMatch(/Known issues[^#]*- major: architecture: needs_revision/);
  expect(commits(played)).toEqual([]);
});

test("[L-40] a reviewer that never answers leaves EG-3 unmet: ERROR, never a revision", async () => {
  const silent = (request: AttemptRequest) => (sentinel(request) ? fails() : { contract: { verdicts: approve } });
  const played = await play({ parts: { reviewer: silent } });
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("is 2, needs 3") });
  expect(judged(played, "design review").slice(0, 2)).toEqual([
    ["EG-3", false],
    ["EG-5", false],
  ]);
  expect(roles(played).filter((role) => role === "designer")).toHaveLength(1);
  expect(sentTo(played, "reviewer").filter(sentinel)).toHaveLength(2);
});

test("[L-51] a fix that fails verification is not reviewed and uses its round", async () => {
  const objects = createReviewers(({ phase }) => (phase === CODE ? { correctness: "needs_revision" } : undefined));
  const breaks = (request: AttemptRequest) =>
    request.round === 2
      ? { contract: {}, files: { "src/greet.ts": RED } }
      : builds(() => "export const greet = 1;\n")(request);
  const played = await play({ parts: { ...objects, implementer: breaks, planner: plans(task("greet")) } });
  expect(sentTo(played, "reviewer").filter(({ phase }) => phase === CODE)).toHaveLength(3);
  expect(judged(played, `verified ${SLUG}-review-fix`)).toContainEqual(["EG-2", false]);
  expect(played).toMatchObject({ status: "done", exit: 7 });
});

test("a review's findings and verdicts are separate files", async () => {
  const finding = {
    severity: "Major",
    category: "correctness",
    message: "a name is\nnot escaped",
    files: ["src/a.ts"],
  };
  const contract = { verdicts: { ...approve, correctness: "needs_revision" }, findings: [finding] };
  const played = await play({
    parts: { reviewer: (each) => ({ contract: sentinel(each) ? contract : { verdicts: approve } }) },
  });
  expect(played.files["review-findings/design-security-sentinel.md"]).toContain(
    "- **major**, correctness: a name is not escaped (src/a.ts)",
  );
  expect(parse(played.files["review-verdicts/code-security-sentinel.yaml"] ?? "")).toMatchObject({
    verdicts: { correctness: "needs_revision" },
  });
});

const outvoted = { severity: "Major", category: "correctness", message: "an empty name is greeted" };
const KNOWN = "major: an empty name is greeted (pragmatic-verifier)";
/** Two of three approve, so that the code review passes. */
const outvotes = {
  reviewer: ({ phase, instance }: AttemptRequest) => {
    const objects = phase === CODE && instance === "pragmatic-verifier";
    const verdicts = { ...approve, ...(objects && { correctness: "needs_revision" }) };
    return { contract: { verdicts, findings: objects ? [outvoted] : [] } };
  },
};

test("an outvoted finding is in the report, the caveats and the commit message", async () => {
  const played = await play({ parts: outvotes, perform: reporting, input: { kind: "chore" } });
  expect(finishedOf(played.records)).toMatchObject({
    status: "done",
    confidence: "medium",
    caveats: [`not settled: ${KNOWN}`],
    report: { known_issues: [KNOWN] },
  });
  expect(commits(played)[0]?.message).toContain("Known issues:\n- major: an empty name is greeted");
});

test("findings of an approved design stay with the design: the commit lists issues of the work only", async () => {
  const minor = { severity: "Minor", category: "correctness", message: "D-2 names no error" };
  const reviewer = ({ phase }: AttemptRequest) => ({
    contract: { verdicts: approve, findings: phase === CODE ? [] : [minor] },
  });
  const played = await play({ parts: { reviewer }, perform: reporting, input: { kind: "chore" } });
  const end = finishedOf(played.records);
  expect(end).toMatchObject({
    confidence: "medium",
    reason: expect.stringContaining("confidence is medium: reviewers of the design had findings"),
  });
  expect(end).not.toHaveProperty("caveats");
  expect(end?.report).not.toHaveProperty("known_issues");
  expect(commits(played)[0]?.message).not.toContain("Known issues");
  expect(played.files["evidence-bundle.md"]).toContain("## Known issues\n\n- none");
  expect(played.files["evidence-bundle.md"]).toContain(`- design, found and planned with: minor: ${minor.message} (`);
  expect(played.files["review-findings/design-pragmatic-verifier.md"]).toContain(minor.message);
  expect(inputsOf(played, "planner")[0]).toMatchObject({
    verdicts: [{ findings: [{ message: minor.message }] }, {}, {}],
  });
});

test("the question about the commit shows outvoted findings; sent back, the implementer gets them as advice", async () => {
  const answers = [{ choice: "revise", note: "Show it with a test." }, "accept"];
  let turn = 0;
  const implementer = () => ({ contract: {}, files: { "src/greet.ts": `export const turn = ${++turn};\n` } });
  const parts = { ...outvotes, planner: plans(task("greet", { kind: "fix" })), implementer };
  const played = await play({ parts, answers });
  expect(questions(played).at(-1)).toMatchObject({ show: { known: [`not settled: ${KNOWN}`] } });
  const [first, fix] = inputsOf(played, "implementer");
  const advice = [{ severity: "major", message: outvoted.message, by: "pragmatic-verifier" }];
  expect(first).not.toHaveProperty("advice");
  expect(fix).toMatchObject({ findings: [{ message: "Show it with a test." }, {}], advice });
  expect(inputsOf(played, "verifier").at(-1)).not.toHaveProperty("advice");
  const again = sentTo(played, "reviewer").findLast(({ instance }) => instance === "pragmatic-verifier");
  expect(again?.input).toMatchObject({ earlier: { findings: advice } });
});

test("[L-19] if a person sends the work back at the commit, it uses the remaining round, with its own rows", async () => {
  const answers = [{ choice: "revise", note: "Show it with a test." }, "accept"];
  let turn = 0;
  const implementer = () => ({ contract: {}, files: { "src/greet.ts": `export const turn = ${++turn};\n` } });
  const parts = { planner: plans(task("greet", { kind: "fix" })), implementer };
  const played = await play({ parts, answers });
  expect(played.status).toBe("done");
  const fix = inputsOf(played, "implementer").at(-1);
  expect(fix).toMatchObject({ findings: [{ message: "Show it with a test." }, {}] });
  const reviews = new Set(tableOf(played, "anvil_checks").map((row) => row["task_id"]));
  expect(reviews).toContain(`${SLUG}-code-review-sent-back`);
  const choices = questions(played).map((question) => question.choices);
  expect(choices.slice(-2)).toEqual([
    ["accept", "revise", "refuse"],
    ["accept", "refuse"],
  ]);
  expect(commits(played)).toHaveLength(1);
});
