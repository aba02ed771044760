import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import type { ProcessExit, StopReason } from "../../src/core/ports/processes.ts";
import { toNormalForm } from "../../src/core/text/normal-form.ts";
import { failureOfExit } from "../../src/drivers/outcome.ts";
import { replayJournal } from "../../src/engine/replay/replay.ts";
import { RED } from "../support/answers/paper-world.ts";
import { quickWorld } from "../support/stage.ts";
import {
  approve,
  builds,
  commits,
  FOLDER,
  fails,
  judged,
  type Played,
  pipeline,
  plans,
  play,
  reporting,
  roles,
  says,
  sentTo,
  tableOf,
  task,
} from "./paper.ts";

const low = { implementer: builds(() => RED), planner: plans(task("greet")) };
const dissent = ({ instance }: AttemptRequest) => ({
  contract: { verdicts: { ...approve, ...(instance === "pragmatic-verifier" && { correctness: "needs_revision" }) } },
});
const bundleOf = (played: Played): string => played.files["evidence-bundle.md"] ?? "";
const finished = (played: Played) => played.records.findLast((record) => record.type === "run.finished");

test("[L-20] a failing knowledge agent is retried once and stops nothing", async () => {
  const played = await play({ parts: { knowledge: () => fails() } });
  expect(sentTo(played, "knowledge")).toHaveLength(2);
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(commits(played)).toHaveLength(1);
});

test("[L-50] the evidence bundle is also written if the knowledge agent failed", async () => {
  const played = await play({ parts: { knowledge: () => fails() } });
  expect(bundleOf(played)).toContain("Confidence: High");
  expect(played.files["knowledge-output.yaml"]).toBeUndefined();
  expect(commits(played)[0]?.rendered.map(({ path }) => path)).toContain(`${FOLDER}/evidence-bundle.md`);
});

test("[L-21] the bundle has confidence, verification, reviews, blast radius, known issues and the rollback", async () => {
  const played = await play({ parts: { reviewer: dissent } });
  const bundle = bundleOf(played);
  expect(bundle).toContain("Confidence: Medium");
  expect(bundle).toContain("- greet: build passed, test passed, lint passed");
  expect(bundle).toContain(
    "- code, pragmatic-verifier: security approve, architecture approve, correctness needs_revision",
  );
  expect(bundle).toMatch(/## Blast radius\n\n- src\/greet.ts\n- src\/shout.ts/);
  expect(bundle).toMatch(/## Known issues\n\n- major: correctness: needs_revision \(pragmatic-verifier\)/);
  expect(bundle).toMatch(/## Rollback\n\n {4}git rev-list .* \| xargs -r git revert --no-edit/);
});

test.each([
  ["high", {}],
  ["medium", { reviewer: dissent }],
  ["low", low],
])("confidence is %s as the gates decide, whatever the knowledge agent claims", async (confidence, parts) => {
  const played = await play({
    perform: reporting,
    input: { kind: "chore" },
    parts: { ...parts, knowledge: says({ confidence: "High", overall_confidence: "High" }) },
  });
  expect(finished(played)).toMatchObject({ confidence });
});

test("[L-22] the commit has its message and trailer, and the checked tree with the rendered files", async () => {
  const played = await play();
  const [commit] = commits(played);
  const [subject, ...trailers] = (commit?.message ?? "").split("\n");
  expect(subject).toBe("feat: greet people by name");
  expect(trailers).toContain("Co-authored-by: pipeline");
  const gate = played.records.findLast((each) => each.type === "gate.evaluated" && each.gate === "integrated");
  expect(gate).toMatchObject({ tree: commit?.tree });
  expect(commit?.rendered.every(({ path }) => path.startsWith(FOLDER))).toBe(true);
});

test("[L-22] medium confidence is committed too", async () => {
  const played = await play({ parts: { reviewer: dissent } });
  expect(finished(played)).toMatchObject({ confidence: "medium" });
  expect(commits(played)).toHaveLength(1);
});

test("[L-22] low confidence is not committed", async () => {
  const played = await play({ parts: low });
  expect(commits(played)).toEqual([]);
});

test("[L-47] confidence low: DONE, not committed, the reason recorded, exit 7", async () => {
  const played = await play({ parts: low });
  expect(finished(played)).toMatchObject({
    status: "done",
    exit: 7,
    confidence: "low",
    reason: expect.stringContaining("not committed: confidence is low"),
  });
});

test("[L-46] the commit id is recorded, and the rollback command names it", async () => {
  const played = await play();
  const end = finished(played);
  expect(end?.commit).toMatch(/^[0-9a-f]{40,}$/);
  expect(end?.report).toMatchObject({
    commit: { id: end?.commit, rollback: expect.stringContaining(`grep -x ${end?.commit} `) },
  });
});

test("[L-23] one telemetry row follows every dispatch, with the times of its attempts", async () => {
  const parts = { spec: ({ attempt }: AttemptRequest) => (attempt === 1 ? fails() : { contract: {} }) };
  const played = await play({ parts, world: { ...quickWorld(), now: createTickingClock() } });
  const rows = tableOf(played, "pipeline_telemetry");
  const steps = new Set(played.records.flatMap((each) => (each.type === "agent.started" ? [each.key] : [])));
  expect(rows).toHaveLength(steps.size);
  const spec = played.records.filter((each) => "role" in each && each.role === "spec");
  const row = rows.find((each) => each["agent"] === "spec");
  expect(row?.["started_at"]).toBe(new Date(spec[0]?.ts ?? 0).toISOString());
  const answered = spec.findLast((each) => each.type === "agent.finished")?.ts ?? Number.NaN;
  expect(Date.parse(String(row?.["completed_at"]))).toBeGreaterThanOrEqual(answered - 1_000);
  expect(row).toMatchObject({ step: "2 Spec", status: "DONE", dispatch_count: 2, retry_count: 1 });
});

/** Creates a clock that advances a second with every read. */
function createTickingClock(): () => number {
  let now = Date.UTC(2030, 0, 1);
  return () => {
    now += 1_000;
    return now;
  };
}

const exit = (stopped: StopReason): ProcessExit => {
  return { code: null, signal: "SIGKILL", stopped, ms: 1, stdoutBytes: 0, stdoutTail: "", stderrTail: "" };
};

test("[L-49] a dispatch that timed out is distinguished from other failures", async () => {
  const statusAfter = async (code: string) => {
    const played = await play({ parts: { spec: () => fails(code) } });
    return tableOf(played, "pipeline_telemetry").find((row) => row["agent"] === "spec")?.["status"];
  };
  // Codes that drivers report for such a stopped process.
  const codes = (["timeout", "silent", "flood"] as const).map((stopped) => failureOfExit("agent", exit(stopped))?.code);
  const statuses = await Promise.all(["timeout", ...codes].map((code = "") => statusAfter(code)));
  expect(statuses).toEqual(["TIMEOUT", "TIMEOUT", "TIMEOUT", "ERROR"]);
});

test.each(["no contract", "two contracts", "garbage"])("[L-24] %s: one retry, then ERROR", async (what) => {
  const codes = {
    "no contract": "contract_missing",
    "two contracts": "contract_ambiguous",
    garbage: "contract_invalid",
  };
  const code = codes[what as keyof typeof codes];
  const played = await play({ parts: { spec: () => ({ failure: { code } }) } });
  expect(sentTo(played, "spec").map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("spec failed") });
});

test("[L-25] a transient ERROR is retried once", async () => {
  const once = ({ attempt }: AttemptRequest) => ({
    contract: attempt === 1 ? { status: "ERROR", summary: "the model is busy" } : {},
  });
  const played = await play({ parts: { spec: once } });
  expect(played.status).toBe("done");
  expect(played.records.find((each) => each.type === "agent.retried")).toMatchObject({
    because: { class: "transient", message: "the model is busy" },
  });
});

test("[L-25] an ERROR that its agent calls deterministic is never retried", async () => {
  const contract = { status: "ERROR", error_class: "deterministic", summary: "a file is missing" };
  const played = await play({ parts: { spec: says(contract) } });
  expect(sentTo(played, "spec")).toHaveLength(1);
  expect(played).toMatchObject({ status: "error", reason: "spec failed: a file is missing" });
});

test("[L-26] at most four agents work at once", async () => {
  const many = plans(...["a", "b", "c", "d", "e", "f"].map((id) => task(id)));
  const { records } = await play({ parts: { planner: many } });
  let now = 0;
  const counts = records.map((each) => {
    if (each.type === "agent.started") now += 1;
    if (each.type === "agent.finished") now -= 1;
    return now;
  });
  expect(Math.max(...counts)).toBe(4);
  // Waves are no larger either: the engine enforces this limit whatever a step requests.
  expect(pipeline.cap).toBe(4);
});

test.each(["evaluator", "spec", "designer", "planner", "implementer", "verifier", "reviewer"])(
  "[L-38] a %s that ends in ERROR after its retry ends the run as ERROR",
  async (role) => {
    const played = await play({ parts: { [role]: () => fails() } });
    expect(played).toMatchObject({ status: "error", exit: 1 });
    expect(roles(played)).not.toContain("knowledge");
    const attempts = sentTo(played, role).map(({ attempt }) => attempt);
    expect(Math.max(...attempts)).toBe(2);
  },
);

test.each(["researcher", "knowledge"])("[L-38] one %s that ends in ERROR does not end the run", async (role) => {
  const one = ({ instance }: AttemptRequest) =>
    instance === "researcher-impact" || role === "knowledge" ? fails() : { contract: {} };
  expect(await play({ parts: { [role]: one } })).toMatchObject({ status: "done", exit: 0 });
});

test("[L-39] an answer that parses but violates its schema: one retry, then ERROR", async () => {
  const played = await play({ parts: { planner: says({ tasks: [{ id: "a", files: ["../outside.ts"] }] }) } });
  expect(sentTo(played, "planner")).toHaveLength(2);
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("inside the repository") });
});

test.each([
  ["done", {}],
  ["done", low],
  ["error", { spec: () => fails() }],
  ["error", { reviewer: says({ verdicts: { ...approve, security: "blocker" } }) }],
])("[L-29] the result is DONE or ERROR, never NEEDS_REVISION: %s", async (status, parts) => {
  expect(finished(await play({ parts }))?.status).toBe(status);
});

test("[L-30] evaluations of artifacts are recorded, whichever role gives them", async () => {
  const evaluation = { artifact_path: "design.md", usefulness_score: 8, clarity_score: 7, inaccuracies: "none" };
  const contract = { artifact_evaluations: [evaluation, { artifact_path: "/etc/passwd", usefulness_score: 99 }] };
  const played = await play({ parts: { verifier: says(contract), knowledge: says(contract) } });
  const rows = tableOf(played, "artifact_evaluations");
  expect(rows.map((row) => row["evaluator_agent"])).toEqual(["verifier", "verifier", "knowledge"]);
  expect(rows[2]).toMatchObject(evaluation);
});

test("[L-30] proposed instruction changes are recorded as not applied, and are never applied", async () => {
  const update = { file_path: ".github/instructions/tests.md", change_type: "append", change_summary: "name the rule" };
  const elsewhere = { ...update, file_path: "src/index.ts" };
  const played = await play({ parts: { knowledge: says({ instruction_updates: [update, elsewhere] }) } });
  expect(tableOf(played, "instruction_updates")).toEqual([{ agent: "knowledge", applied: 0, ...update }]);
  const [commit] = commits(played);
  expect(commit?.rendered.map(({ path }) => path)).not.toContain(update.file_path);
});

const CHECKS = ["SC-1", "SC-2", "SC-3", "SC-4", "SC-5", "SC-5b", "SC-6", "SC-7", "SC-8"];

test("[L-31] a good run passes its self-check, and each part of it is a recorded result", async () => {
  expect(judged(await play(), "self-check")).toEqual(CHECKS.map((id) => [id, true]));
});

test.each([
  ["a step that was not run", "SC-1", { spec: () => fails() }],
  ["a gate that was not passed", "SC-2", low],
  ["an unhandled ERROR", "SC-3", { spec: () => fails() }],
  ["a blocker verdict", "SC-4", { reviewer: says({ verdicts: { ...approve, security: "blocker" } }) }],
  ["a step without its outputs", "SC-6", { designer: () => fails() }],
])("[L-31] the self-check detects %s", async (_what, rule, parts) => {
  const results = judged(await play({ parts }), "self-check");
  expect(results.map(([id]) => id)).toEqual(CHECKS);
  expect(results).toContainEqual([rule, false]);
});

test("a failed self-check has one finding per rule, however much of the run is missing", async () => {
  const { records } = await play({ parts: { evaluator: () => fails() } });
  const ended = records.find((each) => each.type === "step.finished" && each.key.endsWith("/self-check"));
  const { findings } = (ended as unknown as { value: { findings: { severity: string; message: string }[] } }).value;
  expect(findings.filter(({ severity }) => severity === "minor").map(({ message }) => message)).toEqual([
    expect.stringMatching(/^every step was run, or skipped with a reason: not 1 Research, 2 Spec, .*, 9 Commit$/),
    "every step that was run left its outputs: not /initial-request.md",
  ]);
});

test("[L-31] the self-check covers budgets, the commit and the telemetry", async () => {
  const { SELF_CHECK } = await import("../../src/pipelines/ledger/building/self-check.ts");
  const good = {
    steps: ["0 Setup"],
    skipped: {},
    refused: [],
    rounds: { research: 3, design: 2, plan: 3, verification: 3, review: 2 },
    outputs: ["x/initial-request.md"],
    committed: true,
    status: "done",
    dispatches: 1,
  };
  const judge = (id: string, account: object): boolean => {
    const rule = SELF_CHECK.find((each) => each.id === id);
    if (!rule || "sql" in rule) throw new Error(`there is no value rule ${id}`);
    return rule.judge({ ...good, ...account }).passed;
  };
  expect(judge("SC-5", {})).toBe(true);
  expect(judge("SC-5", { rounds: { ...good.rounds, review: 3 } })).toBe(false);
  expect(judge("SC-7", { committed: false })).toBe(false);
  expect(judge("SC-7", { committed: false, skipped: { "9 Commit": "low" } })).toBe(true);
  const { sent, records } = await play();
  const telemetry = records.find((each) => each.type === "gate.evaluated" && each.rule === "SC-8");
  expect(telemetry).toMatchObject({ need: sent.length, actual: sent.length });
});

test("[L-45] the error log has every failed dispatch with step, agent, error and retry", async () => {
  const contract = { status: "ERROR", error_class: "deterministic", summary: "no network" };
  const parts = {
    researcher: ({ instance }: AttemptRequest) => (instance === "researcher-impact" ? fails() : { contract: {} }),
    knowledge: says(contract),
  };
  expect(finished(await play({ parts }))?.report).toMatchObject({
    error_log: [
      { step: "1 Research", agent: "researcher-impact", error: "it failed: agent_crashed", retried: true },
      { step: "8 Knowledge", agent: "knowledge", error: "no network", retried: false },
    ],
  });
});

test("[L-45] status shows step, overall risk and completed steps with their outputs while the run waits", async () => {
  const risky = plans(task("greet", { risk: "🟡", checks: ["e2e"] }));
  const { records } = await play({ parts: { planner: risky } });
  const keys = records.flatMap((each) => (each.type === "step.started" && each.verb === "note" ? [each.key] : []));
  const notes = records.flatMap((each) =>
    each.type === "step.finished" && keys.includes(each.key) ? [each.value] : [],
  );
  const shown = Object.assign({}, ...notes) as Record<string, unknown>;
  expect(shown).toMatchObject({ step: "4 Plan", error_log: [] });
  expect(shown["completed_steps"]).toContainEqual({
    step: "2 Spec",
    outputs: [`${FOLDER}/feature.md`, `${FOLDER}/spec-output.yaml`],
  });
  const whole = await play({ parts: { planner: plans(task("greet", { risk: "🟡" })) } });
  expect(finished(whole)?.report).toMatchObject({ overall_risk: "🟡" });
});

test("[L-48] the same contracts take the same path, and a replay of the journal finds no difference", async () => {
  const shaky = {
    verifier: ({ round }: AttemptRequest) => ({ contract: { status: round < 3 ? "NEEDS_REVISION" : "DONE" } }),
  };
  const [first, second] = [await play({ parts: shaky }), await play({ parts: shaky })];
  expect(toNormalForm(second.records).map(formatPath)).toEqual(toNormalForm(first.records).map(formatPath));
  expect(await replayJournal({ records: first.records, pipeline, world: quickWorld() })).toEqual({ ok: true });
});

/** Keeps what happened where; texts with the run's own id or commit differ. */
function formatPath(line: string): string {
  const { type, key = "", passed, outcome, choice } = JSON.parse(line) as Record<string, string>;
  return [type, key, passed, outcome, choice].join(" ");
}
