import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import type { Task } from "../../src/pipelines/ticket/contracts.ts";
import { describeChecks } from "../../src/pipelines/ticket/working/describe-checks.ts";
import { findCulprits } from "../../src/pipelines/ticket/working/parallel-group.ts";
import {
  commits,
  developed,
  FOLDER,
  graph,
  inputsOf,
  isTaskReview,
  LINE,
  type Played,
  plans,
  play,
  questions,
  REQUEST,
  roles,
  sentTo,
  TRIVIAL,
  task,
  textOf,
} from "./paper.ts";

const until = (last: number) => (request: AttemptRequest) => ({
  contract: {
    criteria: [],
    status: isTaskReview(request) || request.round > last ? "ACCEPTED" : "REJECTED",
    summary: "no shout",
  },
});

test("[A-33] after the fifth rejection the work is named by its tree", async () => {
  const played = await play({ parts: { Planner: plans(LINE), Reviewer: until(9) } });
  expect(played.exit).toBe(5);
  const reviewed = sentTo(played, "Reviewer").at(-1)?.tree;
  expect(played.report).toMatchObject({ work: { tree: reviewed, accepted: false, why: expect.any(String) } });
});

test("[A-33] a run that ends as an error after work names it, and one that ends before any work names none", async () => {
  const Reviewer = (request: AttemptRequest) =>
    isTaskReview(request)
      ? { contract: { criteria: [], status: "ACCEPTED" } }
      : { failure: { code: "contract_invalid" } };
  const late = await play({ parts: { Planner: plans(LINE), Reviewer } });
  expect(late).toMatchObject({ status: "error", report: { work: { accepted: false, why: late.reason } } });
  const early = await play({ parts: { Planner: () => ({ failure: { code: "contract_invalid" } }) } });
  expect(early.report).not.toHaveProperty("work");
});

const writes = (status: string) => (request: AttemptRequest) =>
  isTaskReview(request)
    ? { contract: { criteria: [], status: "ACCEPTED" } }
    : {
        contract: { criteria: [], status: "ACCEPTED" },
        files: { [`${FOLDER}/iteration_0/review_report.yaml`]: stringify({ status, summary: "good" }) },
      };

test("a reviewer that writes APPROVED into its file has accepted", async () => {
  const played = await play({ parts: { Planner: plans(LINE), Reviewer: writes("APPROVED") } });
  expect(played.status).toBe("done");
  expect(textOf(played, "iteration_0/review_report.yaml")).toContain("status: ACCEPTED");
});

test("an unusable report is put to the reviewer once more, with what is wrong with it", async () => {
  const problem = ({ input }: AttemptRequest) => (input as { problem?: string }).problem;
  const Reviewer = (request: AttemptRequest) => writes(problem(request) ? "ACCEPTED" : "MAYBE")(request);
  const played = await play({ parts: { Planner: plans(LINE), Reviewer } });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "Reviewer").at(-1)).toMatchObject({ problem: expect.stringContaining("MAYBE") });
  const never = await play({ parts: { Planner: plans(LINE), Reviewer: writes("MAYBE") } });
  expect(never).toMatchObject({ status: "error", reason: expect.stringContaining("MAYBE") });
});

test("a command that could not run is not attested as passed", () => {
  const check = { name: "test", passed: false, exitCode: 127, snippet: "", outcome: "not-run" as const };
  const { evidence } = describeChecks({ checks: [check], tamper: [] });
  expect(evidence).toEqual([{ check: "test", outcome: "could not run: proves nothing about the work", exitCode: 127 }]);
  expect(describeChecks({ checks: [], tamper: [] }).evidence).toContain("nothing ran");
});

const TASKS = [
  task("T1", "A", { files_to_modify: ["src/sum.js"], test_files: ["test/sum.test.js"] }),
  task("T2", "A", { files_to_modify: ["src/price.js"], test_files: ["test/price.test.js"] }),
] as unknown as Task[];
const red = { name: "test", passed: false, exitCode: 1, snippet: "ℹ fail 1", outcome: "regression" as const };

test("the responsible task is found by the names of failing tests, and by the whole output only if nothing else names a file", () => {
  const ids = (...args: Parameters<typeof findCulprits>) => findCulprits(...args).map(({ id }) => id);
  const named = { ...red, failing: ["test/price.test.js › adds tax"] };
  expect(ids(TASKS, { checks: [named], tamper: [] })).toEqual(["T2"]);
  const output = `✖ adds\n  AssertionError: 3 !== 4\n    at src/sum.js:3:1\n${"✔ fine\n".repeat(400)}ℹ fail 1`;
  const finding = { severity: "major" as const, message: "test passed on the baseline and fails now", output };
  expect(ids(TASKS, { checks: [red], tamper: [], regressions: [finding] })).toEqual(["T1"]);
  expect(ids(TASKS, { checks: [red], tamper: [] })).toEqual(["T1", "T2"]);
});

test("[T-48] if the responsible task is unknown, the pause names all tasks and blames none", async () => {
  const pair = graph([task("T1", "A"), task("T2", "A")]);
  const failing = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
    const result = paper(effect);
    if (effect.kind !== "check" || effect.request.inspect || !effect.request.tree.startsWith("tree-")) return result;
    return (result as { name: string }[]).map((each) =>
      each.name === "test" ? { ...each, exitCode: 1, snippet: "1 failed", digest: "x" } : each,
    );
  };
  const played = await play({ parts: { Planner: plans(pair) }, perform: failing });
  expect(played.status).toBe("paused");
  expect(questions(played).at(-1)?.title).toBe("T1, T2: 5 attempts are used up");
  expect(developed(played)).toHaveLength(10);
});

/** Returns the files that a first run has left in the checkout. */
const listLeftFiles = (played: Played): Record<string, string> =>
  Object.fromEntries(
    played.written.map(({ path, text }) => [path.includes("/docs") ? path : `${FOLDER}/${path}`, text]),
  );

test("[T-29] an accepted ticket with another request asks which one counts; the same request reports that it is done", async () => {
  const first = await play({ parts: { Planner: plans(TRIVIAL) } });
  const checkout = listLeftFiles(first);
  const same = await play({ checkout, request: REQUEST });
  expect(same).toMatchObject({ status: "done", reason: "ABC-12 is already ACCEPTED", sent: [] });
  const request = "ABC-12: Add a fourth module to the greeter.";
  const asked = await play({ checkout, request, approvals: "interactive" });
  expect(asked).toMatchObject({ status: "waiting", exit: 3 });
  expect(questions(asked)[0]?.title).toContain("already ACCEPTED");
  const anew = await play({ checkout, request, parts: { Planner: plans(TRIVIAL) } });
  expect(anew.status).toBe("done");
  expect(roles(anew)).toContain("Developer");
  expect(commits(anew)[0]?.message).toContain("fourth module");
});

test.each(["keep", "write"] as const)(
  "[T-56] a person sends accepted work back before the commit, and the next iteration plans from their note (documents: %s)",
  async (documents) => {
    const answers = [{ choice: "revise", note: "Show it with a test." }, "accept"];
    const played = await play({ kind: "fix", documents, parts: { Planner: plans(LINE) }, answers });
    expect(played.status).toBe("done");
    const [, second, third] = inputsOf(played, "Planner");
    // The engine itself sends the work back once before it asks a person.
    expect(second).toMatchObject({ snapshot: { primary_input: expect.stringContaining("no test is red without it") } });
    expect(third).toMatchObject({ snapshot: { primary_input: expect.stringContaining("Show it with a test.") } });
    expect(textOf(played, "iteration_0/review_report.yaml")).toContain("status: REJECTED");
    expect(questions(played)).toMatchObject([{ revises: "revise" }, { revises: "revise" }]);
    expect(commits(played)).toHaveLength(1);
  },
);

test("[A-37] a ticket with one small task needs a red test, whatever its wording and even if nobody states its kind", async () => {
  for (const request of ["ABC-12: Fix the greeting of people.", "ABC-12: Update the greeting of people."]) {
    const answers = [{ choice: "revise", note: "Show it with a test." }, "accept"];
    const played = await play({ kind: "unstated", request, parts: { Planner: plans(TRIVIAL) }, answers });
    expect(JSON.stringify(questions(played)[0]?.show)).toContain("no test is red without it");
    expect(inputsOf(played, "Planner")).toHaveLength(3);
    expect(commits(played)).toHaveLength(1);
  }
  const refactoring = await play({
    kind: "unstated",
    request: "ABC-12: Refactor the greeting of people.",
    parts: { Planner: plans(TRIVIAL) },
  });
  expect(refactoring.status).toBe("done");
  expect(questions(refactoring)).toEqual([]);
});
