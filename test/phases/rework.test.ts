import { describe, expect, test } from "vitest";
import { changesIn } from "../support/answers/paper-world.ts";
import {
  asked,
  audits,
  builds,
  createProposal,
  createReply,
  inputsOf,
  type Part,
  PLAN,
  phase,
  plans,
  play,
  roles,
  SMALL,
  says,
  turns,
} from "./paper.ts";

type PlanInput = { readonly plan?: { readonly phases: readonly { readonly objective: string }[] } };
const listPlansReceived = (played: Awaited<ReturnType<typeof play>>) =>
  inputsOf(played, "Planner").map((input) => (input as PlanInput).plan?.phases[0]?.objective);
const unowned = (objective: string, more: object = {}) =>
  createProposal({ phases: [phase(1, 1, { objective, executor_agent: undefined }), phase(2, 2)], ...more });

describe("a plan that was not accepted", () => {
  test("returns whole if it was the first one, with an id for every finding", async () => {
    const played = await play({ parts: { Planner: turns(plans(unowned("the refused one")), plans(SMALL)) } });
    expect(listPlansReceived(played)).toEqual([undefined, "the refused one"]);
    const [, second] = inputsOf(played, "Planner");
    expect(second?.["findings"]).toMatchObject([{ id: "G-1", message: expect.stringContaining("not on the roster") }]);
    expect(second).not.toHaveProperty("revision_of");
  });

  test("returns as it was refused, not as the version before it", async () => {
    const first = { ...PLAN, phases: [phase(1, 1, { objective: "first" }), phase(2, 1), phase(3, 2)] };
    const third = { ...PLAN, phases: [phase(1, 1, { objective: "third" }), phase(2, 1), phase(3, 2)] };
    const refused = unowned("second, refused", { complexity_tier: "MEDIUM", task_title: "Add three parts" });
    const finding = { severity: "MAJOR", description: "part 3 is missing" };
    const played = await play({
      parts: {
        Planner: turns(plans(first), plans(refused), plans(third)),
        PlanAuditor: turns(audits("NEEDS_REVISION", { findings: [finding] }), audits("APPROVED")),
      },
    });
    expect(listPlansReceived(played)).toEqual([undefined, "first", "second, refused"]);
    const [, , retry] = inputsOf(played, "Planner");
    expect(retry?.["findings"]).toMatchObject([{ id: "PA-1.1" }, { id: "G-1" }, { id: "G-2" }]);
  });
});

const one = (more: object = {}) => createProposal({ phases: [phase(1, 1)], complexity_tier: "TRIVIAL", ...more });
const broken = builds(() => "BROKEN\n");
const good = builds(() => "export {};\n");
const strays: Part = () => ({
  contract: createReply("CoreImplementer", { status: "COMPLETE", changes: [{ file: "src/part-1.ts" }] }),
  files: { "src/part-1.ts": "BROKEN\n", "src/helper.ts": "export {};\n" },
});

describe("an executor whose work was refused", () => {
  test("gets the state of its work, the dropped files, and the check results", async () => {
    const played = await play({ parts: { Planner: plans(one()), CoreImplementer: turns(strays, good) } });
    expect(played.status).toBe("done");
    const [first, second] = inputsOf(played, "CoreImplementer");
    expect(first).not.toHaveProperty("dropped_files");
    expect(second).toMatchObject({ dropped_files: ["src/helper.ts"], already_there: ["src/part-1.ts"] });
    expect(JSON.stringify(second?.["findings"])).toContain("regression");
    expect(second?.["fix_hint"]).toContain("discarded because the phase does not list them: src/helper.ts");
  });

  test("causes a question that names the dropped files", async () => {
    const played = await play({ parts: { Planner: plans(one()), CoreImplementer: strays } });
    expect(asked(played, "Try again?")?.show).toMatchObject([{ dropped_because_not_planned: ["src/helper.ts"] }]);
  });

  test("is reviewed by an agent that has the earlier findings and the requirements", async () => {
    const issue = { severity: "MAJOR", description: "wrong", file: "src/part-1.ts", validation_status: "confirmed" };
    const objects = says("CodeReviewer", {
      status: "NEEDS_REVISION",
      issues: [issue],
      validated_blocking_issues: [issue],
    });
    const CodeReviewer = turns(objects, says("CodeReviewer", { status: "APPROVED" }));
    const played = await play({ parts: { Planner: plans(one()), CoreImplementer: good, CodeReviewer } });
    const [first, second] = inputsOf(played, "CodeReviewer");
    expect(first).toMatchObject({ task_description: "Add three parts" });
    expect(first).not.toHaveProperty("reviewed_before");
    expect(second).toMatchObject({ reviewed_before: [{ description: "wrong" }] });
  });

  test("leaves a summary of every round in the phase's document", async () => {
    const says =
      (summary: string, text: string): Part =>
      () => ({
        contract: createReply("CoreImplementer", { status: "COMPLETE", changes: [{ file: "src/part-1.ts" }], summary }),
        files: { "src/part-1.ts": text },
      });
    const CoreImplementer = turns(says("Built it.", "BROKEN\n"), says("Mended the import.", "export {};\n"));
    const played = await play({ parts: { Planner: plans(one()), CoreImplementer } });
    const text = played.files["plans/add-three-parts-phase-1-complete.md"];
    expect(text).toContain("TL;DR: Built it.\n\nRound 2: Mended the import.");
  });
});

describe("documents", () => {
  const beside = (wave: number) =>
    createProposal({
      phases: [phase(1, 1), phase(2, wave, { executor_agent: "TechnicalWriter", tests: [] })],
      complexity_tier: "SMALL",
    });
  const TechnicalWriter: Part = () => ({
    contract: createReply("TechnicalWriter", { status: "COMPLETE", docs_created: [{ path: "src/part-2.ts" }] }),
    files: { "src/part-2.ts": "text\n" },
  });

  test("in the wave of their code state that they cannot see it, and so does their reviewer's prompt", async () => {
    const played = await play({ parts: { Planner: plans(beside(1)), TechnicalWriter } });
    expect(asked(played, "Approve the plan?")?.show).toMatchObject({
      findings: [{ message: "phase 2 will not see the code of wave 1: put it into a later wave" }],
    });
    const told = ["phase 1 — Part 1: Build part 1"];
    expect(inputsOf(played, "TechnicalWriter")).toMatchObject([{ beside: told }]);
    expect(inputsOf(played, "CodeReviewer").filter((input) => "beside" in input)).toMatchObject([
      { phase_id: 2, beside: told },
    ]);
  });

  test("in a later wave see the code, and no prompt says otherwise", async () => {
    const played = await play({ parts: { Planner: plans(beside(2)), TechnicalWriter } });
    for (const input of [...inputsOf(played, "TechnicalWriter"), ...inputsOf(played, "CodeReviewer")]) {
      expect(input).not.toHaveProperty("beside");
    }
  });
});

test("a small task takes the short path: a plan of one phase and two files is not reviewed", async () => {
  const files = [phase(1, 1).files[0], { path: "test/part-1.ts", action: "create" }];
  const small = createProposal({ phases: [phase(1, 1, { files })], complexity_tier: "TRIVIAL" });
  const CoreImplementer: Part = () => ({
    contract: createReply("CoreImplementer", { status: "COMPLETE" }),
    files: { "src/part-1.ts": "export {};\n", "test/part-1.ts": "export {};\n" },
  });
  const played = await play({ parts: { Planner: plans(small), CoreImplementer } });
  expect(played.status).toBe("done");
  expect(roles(played).toSorted()).toEqual(["CodeMapper", "CodeReviewer", "CoreImplementer", "Planner", "Researcher"]);
});

// Argument of `end`, as the test expects it.
type EndArguments = { readonly work: { tree: string }; readonly unaccepted: readonly { tree: string }[] };
const listChanges = (work: { readonly tree: string } | undefined) => Object.keys(changesIn(work?.tree ?? ""));

test("a red phase that is given up leaves a named tree, next to the passed work", async () => {
  const CoreImplementer: Part = (request) => (request.task === "phase-2" ? broken(request) : good(request));
  const played = await play({ parts: { Planner: plans(SMALL), CoreImplementer }, answers: ["abort"] });
  expect(played.status).toBe("error");
  const report = played.records.findLast((record) => record.type === "run.finished")?.report as EndArguments;
  expect(listChanges(report.work)).toEqual(["src/part-1.ts"]);
  expect(listChanges(report.unaccepted[0])).toEqual(["src/part-1.ts", "src/part-2.ts"]);
  expect(report).toMatchObject({
    work: {
      accepted: false,
      why: expect.stringContaining("complete: phases 1"),
    },
    unaccepted: [{ phase: 2, accepted: false, why: "no retry left for fixable" }],
  });
});
