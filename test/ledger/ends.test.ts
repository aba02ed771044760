import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { renderMarkdownReport } from "../../src/surfaces/reports/markdown.ts";
import { buildReport as reportOfRun } from "../../src/surfaces/reports/run-report.ts";
import { NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import { buildRunPage } from "../../src/views/page/page-fold.ts";
import { foldRunView } from "../../src/views/run-view.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import { approve, builds, commits, fails, type Played, phasesOf, plans, play, roles, sentTo, task } from "./paper.ts";

type Report = {
  readonly work?: { readonly tree: string; readonly accepted: boolean; readonly why: string };
  readonly left_out?: readonly string[];
};
const reportOf = ({ records }: Played): Report =>
  (records.findLast((record) => record.type === "run.finished")?.report ?? {}) as Report;
const red = { implementer: builds(() => RED), planner: plans(task("greet")) };

test("verification that accepts nothing is followed by no reviewer, and the report says so", async () => {
  const played = await play({ parts: red });
  expect(sentTo(played, "reviewer").filter(({ phase }) => phase === "7 Code review")).toEqual([]);
  expect(phasesOf(played)).not.toContain("7 Code review");
  const skipped = played.records.find((record) => record.type === "phase.skipped" && record.title === "7 Code review");
  expect(skipped).toMatchObject({ reason: expect.stringContaining("nothing was accepted") });
  expect(played).toMatchObject({ status: "done", exit: 7 });
  expect(roles(played)).toContain("knowledge");
});

test("work that verification refused is named with its tree", async () => {
  const { work } = reportOf(await play({ parts: red }));
  expect(work).toMatchObject({ accepted: false, why: expect.stringContaining("greet did not pass verification") });
  expect(changesIn(work?.tree ?? "")).toEqual({ "src/greet.ts": RED });
});

test("if some work was accepted, it is named together with what was refused", async () => {
  const implementer = builds(({ task: id }) => (id === "shout" ? RED : "export {};"));
  const { work } = reportOf(await play({ parts: { implementer, planner: plans(task("greet"), task("shout")) } }));
  expect(Object.keys(changesIn(work?.tree ?? ""))).toEqual(["src/greet.ts"]);
  expect(work?.why).toMatch(/shout did not pass verification \(its tree is tree-/);
});

test("work that reviewers refuse until the end is named with its tree and not committed", async () => {
  const reviewer = ({ phase }: AttemptRequest) => ({
    contract: { verdicts: { ...approve, ...(phase === "7 Code review" && { correctness: "needs_revision" }) } },
  });
  const played = await play({ parts: { reviewer, planner: plans(task("greet")) } });
  expect(commits(played)).toEqual([]);
  expect(reportOf(played).work).toMatchObject({ accepted: false, why: "the code review was not passed" });
});

test("a run that ends by a blocker or a failed agent names its work too", async () => {
  const blocks = ({ phase }: AttemptRequest) => ({
    contract: { verdicts: { ...approve, ...(phase === "7 Code review" && { security: "blocker" }) } },
  });
  const dead = (request: AttemptRequest) =>
    request.phase === "7 Code review" ? fails() : { contract: { verdicts: approve } };
  for (const reviewer of [blocks, dead]) {
    const played = await play({ parts: { reviewer, planner: plans(task("greet")) } });
    expect(played.status).toBe("error");
    expect(Object.keys(changesIn(reportOf(played).work?.tree ?? ""))).toEqual(["src/greet.ts"]);
  }
});

test("a committed run leaves nothing besides its commit", async () => {
  expect(reportOf(await play())).not.toHaveProperty("work");
});

test("a finding that a failed fix was to resolve is still a known issue", async () => {
  const finding = { severity: "Major", category: "correctness", message: "an empty name is greeted" };
  const reviewer = ({ phase }: AttemptRequest) => ({
    contract:
      phase === "7 Code review"
        ? { verdicts: { ...approve, correctness: "needs_revision" }, findings: [finding] }
        : { verdicts: approve },
  });
  const implementer = builds(({ round }) => (round === 2 ? RED : "export {};"));
  const played = await play({ parts: { reviewer, implementer, planner: plans(task("greet")) } });
  expect(played.files["evidence-bundle.md"]).toMatch(/## Known issues[^#]*an empty name is greeted/);
});

const short = { depth: "short" } as const;

test("a short run skips the steps that a person chose, and no others", async () => {
  const played = await play({ input: short, parts: { planner: plans(task("greet")) } });
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(roles(played)).toEqual([
    ...["researcher", "spec", "designer", "planner", "implementer", "verifier"],
    ...["reviewer", "reviewer", "reviewer"],
  ]);
  const skipped = played.records.flatMap((record) => (record.type === "phase.skipped" ? [record.title] : []));
  expect(skipped).toEqual(["3b Design review"]);
});

test("its report and bundle name the skipped rules, and its confidence is medium at most", async () => {
  const played = await play({ input: short, parts: { planner: plans(task("greet")) } });
  expect(reportOf(played).left_out?.join()).toMatch(/L-02.*L-04.*L-07.*L-20/);
  expect(played.files["evidence-bundle.md"]).toMatch(/Confidence: Medium.*## Left out\n\n- L-02/s);
  const end = played.records.findLast((record) => record.type === "run.finished");
  expect(end).toMatchObject({
    confidence: "medium",
    reason: expect.stringMatching(/^committed .*confidence is medium: fewer looked.*left out.*L-02.*L-20/),
  });
  expect(
    renderMarkdownReport(reportOfRun(foldRunView(played.records), buildRunPage(played.records, NO_LIVE_STATE))),
  ).toContain("left out on request: L-02");
});

test("a full run skips nothing", async () => {
  const played = await play({ input: { depth: "full" } });
  expect(reportOf(played)).not.toHaveProperty("left_out");
  expect(roles(played)).toContain("evaluator");
});

test("an end with less than high confidence states the reason", async () => {
  const minor = { severity: "minor", category: "correctness", message: "a shorter name", files: ["src/greet.ts"] };
  const reviewer = ({ phase }: { phase: string }) => ({
    contract: { verdicts: approve, ...(phase === "7 Code review" ? { findings: [minor] } : {}) },
  });
  const played = await play({ parts: { reviewer, planner: plans(task("greet")) } });
  const end = played.records.findLast((record) => record.type === "run.finished");
  expect(end).toMatchObject({
    confidence: "medium",
    reason: expect.stringMatching(/^committed .*; confidence is medium: known and not settled: .*a shorter name/),
  });
});
