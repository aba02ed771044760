import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { codeReviewer } from "../../src/pipelines/phases/roles.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import {
  asked,
  builds,
  commits,
  createProposal,
  createReply,
  inputsOf,
  type Part,
  type Played,
  phase,
  phasesOf,
  plans,
  play,
  questions,
  SMALL,
  sentTo,
  turns,
} from "./paper.ts";

const good = builds(() => "export {};\n");
/** Plays a reworking agent that writes these files. */
const writeFixes =
  (files: Readonly<Record<string, string>>): Part =>
  (request) => ({
    contract: createReply("CoreImplementer", {
      status: "COMPLETE",
      changes: Object.keys(files).map((file) => ({ file })),
      summary: `mended for ${request.task}`,
    }),
    files,
  });
const back = (note: string) => ({ choice: "revise", note });
const run = (CoreImplementer: Part, answers: readonly (string | ReturnType<typeof back>)[], more: object = {}) =>
  play({ parts: { Planner: plans(SMALL), CoreImplementer }, approvals: "interactive", answers, ...more });
const YES = ["approve", "y", "y"];
const finals = (played: Played) =>
  inputsOf(played, "CodeReviewer").filter((input) => input["review_scope"] === "final");
const isMending = ({ input }: AttemptRequest) => Object.hasOwn(input as object, "findings");

test("[P-01] a person's refusal at the commit sends the work back through ACTING, and it is presented again", async () => {
  const CoreImplementer = turns(good, good, writeFixes({ "src/part-2.ts": "export const mended = 1;\n" }));
  const played = await run(CoreImplementer, [...YES, back("say why"), "commit"]);
  expect(played.status).toBe("done");
  expect(phasesOf(played).slice(-5)).toEqual([
    "WAITING_APPROVAL",
    "ACTING",
    "REVIEWING",
    "WAITING_APPROVAL",
    "COMPLETE",
  ]);
  const [, , third] = inputsOf(played, "CoreImplementer");
  expect(third).toMatchObject({ phase_id: 2, findings: [{ severity: "major", message: "say why", by: "Ada" }] });
  expect(finals(played)).toHaveLength(1);
  expect(changesIn(commits(played)[0]?.tree ?? "")["src/part-2.ts"]).toContain("mended");
});

test("[P-01] a refusal of what evidence cannot decide does too, and nothing is complete before", async () => {
  const fix = createProposal({ phases: [phase(1, 1)], complexity_tier: "SMALL", kind: "fix" });
  const mended = (turn: number) => writeFixes({ "src/part-1.ts": `export const mended = ${turn};\n` });
  const CoreImplementer = turns(good, mended(1), mended(2));
  const parts = { Planner: plans(fix), CoreImplementer };
  const answers = ["approve", "commit", "commit", back("show it by a test")];
  const played = await run(CoreImplementer, answers, { parts });
  const doubt = questions(played)[3];
  expect(doubt).toMatchObject({ choices: ["accept", "revise", "refuse"], revises: "revise" });
  const [, second, third] = inputsOf(played, "CoreImplementer").map((input) => input["findings"]);
  // The engine itself sends the work back once before it asks a person.
  expect(second).toMatchObject([{ message: expect.stringContaining("no test is red without it"), by: "exam" }]);
  expect(third).toMatchObject([{ message: "show it by a test" }, {}]);
  expect(phasesOf(played)).not.toContain("COMPLETE");
  expect(questions(played).at(-1)?.title).toBe("All phases are complete. Commit?");
});

test("the reworking executor may change every approved file, and no other", async () => {
  const files = { "src/part-1.ts": "export const mended = 1;\n", "src/stray.ts": "x" };
  const played = await run(turns(good, good, writeFixes(files)), [...YES, back("say why"), "commit"]);
  const tree = changesIn(commits(played)[0]?.tree ?? "");
  expect(tree["src/part-1.ts"]).toContain("mended");
  expect(tree).not.toHaveProperty("src/stray.ts");
});

test("the reworking executor is told that all files are open to it, and the final review which files changed", async () => {
  const files = { "src/part-1.ts": "export const mended = 1;\n" };
  const silent: Part = () => ({ contract: createReply("CoreImplementer", { status: "COMPLETE" }), files });
  const played = await run(turns(good, good, silent), [...YES, back("say why"), "commit"]);
  const [first, , third] = inputsOf(played, "CoreImplementer");
  expect(first).toMatchObject({ scope: "phase 1 and nothing else" });
  expect(third).toMatchObject({
    scope: "what the person sent back, in the files that the plan names",
    safety: expect.arrayContaining(["change only the files that the plan names; other changes are discarded"]),
    task_definition: { files: [{ path: "src/part-2.ts" }, { path: "src/part-1.ts" }] },
  });
  expect(finals(played)[0]?.["changed_files"]).toEqual(["src/part-1.ts", "src/part-2.ts"]);
});

test("a note that names a file goes to the last phase that owns it", async () => {
  const CoreImplementer = turns(good, good, writeFixes({ "src/part-1.ts": "export const mended = 1;\n" }));
  const played = await run(CoreImplementer, [...YES, back("src/part-1.ts says nothing"), "commit"]);
  expect(sentTo(played, "CoreImplementer").find(isMending)?.task).toBe("phase-1");
});

test("work that could not be fixed returns with the reason, and can still be committed", async () => {
  const fails: Part = () => ({
    contract: createReply("CoreImplementer", { status: "FAILED", summary: "no such module" }),
  });
  const played = await run(turns(good, good, fails), [...YES, back("use it"), "commit"]);
  expect(questions(played).at(-1)?.show).toMatchObject({
    unsettled: "CoreImplementer-subagent answered FAILED: no such module",
  });
  expect(commits(played)).toHaveLength(1);
});

test("[P-41] a person who asks for another subject gets it within the subject rules, and no file needs to change", async () => {
  const renames: Part = () => ({
    contract: createReply("CoreImplementer", {
      status: "COMPLETE",
      commit_subject: "feat: greet by name in phase 2\n",
    }),
  });
  const played = await run(turns(good, good, renames), [...YES, back("call it greeting"), "commit"]);
  const [, , third] = inputsOf(played, "CoreImplementer");
  expect(third?.["commit_message"]).toMatch(/^feat: Add parts\n/);
  expect(questions(played).at(-1)?.show).not.toHaveProperty("unsettled");
  expect(commits(played)[0]?.message).toMatch(/^feat: greet by name\n\nAdds a few parts\./);
  expect(finals(played)[0]?.["commit_message"]).toMatch(/^feat: greet by name\n[\s\S]*Gates: .*code review passed\.$/);
});

test("a subject that no person has asked for is discarded", async () => {
  const renames: Part = ({ task }) => ({
    contract: createReply("CoreImplementer", { status: "COMPLETE", commit_subject: "My own name for it" }),
    files: { [`src/${task.replace("phase", "part")}.ts`]: "export {};\n" },
  });
  const played = await run(renames, [...YES, "commit"]);
  expect(commits(played)[0]?.message).toMatch(/^feat: Add parts\n/);
});

test("[P-24] at the commit a person sees the reviewers' advice, and the reports about the rework", async () => {
  const minor = { severity: "MINOR", description: "a name could be better", file: "src/part-1.ts" };
  const major = { severity: "MAJOR", description: "dates are local", validation_status: "unvalidated" };
  const CodeReviewer: Part = ({ input }) => {
    const isFinal = (input as Record<string, unknown>)["review_scope"] === "final";
    return { contract: createReply("CodeReviewer", { status: "APPROVED", issues: isFinal ? [major] : [minor] }) };
  };
  const CoreImplementer = turns(good, good, writeFixes({ "src/part-2.ts": "export const mended = 1;\n" }));
  const parts = { Planner: plans(SMALL), CoreImplementer, CodeReviewer };
  const played = await run(CoreImplementer, [...YES, back("say why")], { parts });
  const advice = [
    "major, not validated: dates are local (final review)",
    "minor: a name could be better (src/part-1.ts, review of phase 1)",
  ];
  const reworked = ["CoreImplementer-subagent, phase 2: mended for phase-2"];
  const { show, brief } = questions(played).at(-1) ?? {};
  expect(show).toMatchObject({ advice, reworked });
  expect(brief).toContainEqual({ title: "Advice", lines: advice });
  expect(brief).toContainEqual({ title: "Rework reports", lines: reworked });
});

test("[A-35] a fix that undoes a person's request returns as the work that they refused", async () => {
  const mended = writeFixes({ "src/part-2.ts": "export const mended = 1;\n" });
  const issue = {
    severity: "MAJOR",
    description: "part 2 exports nothing",
    file: "src/part-2.ts",
    validation_status: "confirmed",
  };
  const refuses = { status: "NEEDS_REVISION", issues: [issue], validated_blocking_issues: [issue] };
  let finalReviews = 0;
  const CodeReviewer: Part = ({ input }) => {
    const isFinal = (input as Record<string, unknown>)["review_scope"] === "final";
    finalReviews += isFinal ? 1 : 0;
    return { contract: createReply("CodeReviewer", isFinal && finalReviews === 1 ? refuses : { status: "APPROVED" }) };
  };
  const CoreImplementer = turns(good, good, mended, writeFixes({ "src/part-2.ts": "export {};\n" }));
  const parts = { Planner: plans(SMALL), CoreImplementer, CodeReviewer };
  const played = await run(CoreImplementer, [...YES, back("say why"), "commit"], { parts });
  const told = [{ by: "Ada", note: "say why" }];
  expect(sentTo(played, "CoreImplementer").slice(2)).toMatchObject([{ refusals: told }, { refusals: told }]);
  const reviews = sentTo(played, "CodeReviewer").filter(({ refusals }) => refusals);
  expect(reviews).toHaveLength(2);
  const [first, second] = questions(played).filter(({ title }) => title.endsWith("Commit?"));
  expect(first?.show).not.toHaveProperty("refused");
  expect(second?.title).toBe('This is the work that Ada refused: "say why". All phases are complete. Commit?');
  expect(second?.show).toMatchObject({ refused: [{ by: "Ada", said: "say why", work: "this very work" }] });
});

test("a blocking completion gate can be answered with a note, and is evaluated again", async () => {
  const more = {
    files: [
      { path: "src/part-1.ts", action: "create" },
      { path: "src/extra.ts", action: "create" },
    ],
  };
  const plan = createProposal({ phases: [phase(1, 1, more)], complexity_tier: "SMALL" });
  const CoreImplementer = turns(good, writeFixes({ "src/extra.ts": "export {};\n" }));
  const parts = { Planner: plans(plan), CoreImplementer };
  const played = await play({ parts, answers: [back("write the extra part")] });
  expect(asked(played, "completion gate still blocks")).toMatchObject({ revises: "revise" });
  expect(inputsOf(played, "CoreImplementer")[1]?.["findings"]).toMatchObject([
    { message: "write the extra part" },
    { message: "src/extra.ts was planned and is missing" },
  ]);
  expect(commits(played)).toHaveLength(1);
});

/** Lists the inputs that a prompt names in its Input section. */
const listNamedInputs = (prompt: string): readonly string[] => {
  const given = prompt.split("## ").find((part) => part.startsWith("Input")) ?? "";
  return [...new Set([...given.matchAll(/`(\w+)`/g)].flatMap(([, name = ""]) => name))];
};

test("the final reviewer after a person's refusal gets every input its prompt names, except those of one phase or of a second review", async () => {
  const issue = { severity: "MINOR", description: "a name could be better", file: "src/part-1.ts" };
  const CodeReviewer: Part = () => ({ contract: createReply("CodeReviewer", { status: "APPROVED", issues: [issue] }) });
  const CoreImplementer = turns(good, good, writeFixes({ "src/part-2.ts": "export const mended = 1;\n" }));
  const parts = { Planner: plans(SMALL), CoreImplementer, CodeReviewer };
  const yes = { choice: "approve", note: "keep it short" };
  const played = await run(CoreImplementer, [yes, "y", "y", back("say why"), "commit"], { parts });
  const [final = {}] = finals(played);
  const elsewhere = ["phase", "final", "phase_scope", "beside", "left_open"];
  const names = listNamedInputs(codeReviewer.prompt ?? "").filter((name) => !elsewhere.includes(name));
  expect(names).toContain("execution_report");
  expect(names.filter((name) => !Object.hasOwn(final, name))).toEqual([]);
  expect(final).toMatchObject({
    findings: [{ message: "say why", by: "Ada" }],
    decisions: [{ choice: expect.stringContaining("keep it short") }],
    execution_report: [{ phase_id: 1 }, { phase_id: 2 }, { phase_id: 2, summary: "mended for phase-2" }],
    evidence: { checks: expect.arrayContaining([expect.objectContaining({ name: "build", outcome: "passed" })]) },
    reviewed_before: [issue, issue],
  });
});

test("if a refusal ends in red checks, nobody is asked to accept work that cannot be committed", async () => {
  const CoreImplementer = turns(good, good, writeFixes({ "src/part-2.ts": RED }), good);
  const played = await run(CoreImplementer, [...YES, back("say why"), back("mend it"), "commit"]);
  const red = questions(played).find(({ title }) => title.startsWith("The work cannot be committed"));
  expect(red).toMatchObject({
    title: expect.stringMatching(/^The work cannot be committed: .*test: regression.*\. Send it back\?$/),
    choices: ["revise", "abort"],
    show: { red: expect.arrayContaining(["test: regression"]) },
  });
  expect(played.status).toBe("done");
  expect(finals(played)[0]?.["findings"]).toContainEqual({ severity: "major", message: "mend it", by: "Ada" });
});
