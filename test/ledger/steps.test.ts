import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  approve,
  FOLDER,
  fails,
  inputsOf,
  phasesOf,
  plans,
  play,
  questions,
  roles,
  says,
  sentTo,
  task,
} from "./paper.ts";

test("[L-01] [A-21] the steps run from 0 to 9 in order, after a baseline of every command", async () => {
  expect(phasesOf(await play({ parts: { planner: plans(task("greet")) } }))).toEqual([
    "Preflight",
    "0 Setup",
    "1 Research",
    "2 Spec",
    "3 Design",
    "3b Design review",
    "4 Plan",
    "5 Implement",
    "6 Verify",
    "7 Code review",
    "8 Knowledge",
    "9 Commit",
  ]);
});

test("[L-01] a step that is not run is skipped with a recorded reason", async () => {
  const low = await play({ parts: { verifier: says({ status: "NEEDS_REVISION" }) } });
  expect(low.records.filter((record) => record.type === "phase.skipped")).toMatchObject([
    { title: "7 Code review", reason: expect.stringContaining("nothing was accepted") },
    { title: "9 Commit", reason: expect.stringContaining("confidence is low") },
  ]);
});

const seen = (records: Awaited<ReturnType<typeof play>>["records"], key: string): number =>
  records.findIndex((record) => record.type === "step.finished" && record.key === key);

test("[L-02] step 0 reads the checkout, assesses the request and lists outputs, in this order, before research", async () => {
  const { records } = await play();
  const order = ["0 Setup/checkout", "0 Setup/evaluator", "0 Setup/request", "0 Setup/files"];
  const places = order.map((key) => seen(records, key));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThan(0);
  const research = records.findIndex((record) => record.type === "agent.started" && record.role === "researcher");
  expect(research).toBeGreaterThan(Math.max(...places));
});

test("[L-02] existing outputs are listed, not adopted", async () => {
  const { effects, sent } = await play({ base: { [`${FOLDER}/spec-output.yaml`]: "status: DONE\n" } });
  const looks = effects.flatMap((effect) => (effect.kind === "see" ? [effect.request] : []));
  expect(looks).toContainEqual({ what: "files", args: expect.objectContaining({ under: FOLDER }) });
  expect(sent.map(({ role }) => role)).toContain("spec");
});

test.each(["interactive", "autonomous"] as const)("[L-02] a blocking concern halts in %s mode", async (approvals) => {
  const blocked = says({ concerns: [{ kind: "conflict", severity: "Blocker", text: "it deletes all users" }] });
  const played = await play({ approvals, parts: { evaluator: blocked } });
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("deletes all users") });
  expect(roles(played)).toEqual(["evaluator"]);
});

test("[L-03] the run has one id: in the ledger, in its files and on its branch", async () => {
  const { stage, records, files, effects } = await play();
  expect(stage.run).toMatch(/^[a-z0-9-]+$/);
  expect(new Set(records.map((record) => record.run))).toEqual(new Set([stage.run]));
  expect(files["evidence-bundle.md"]).toContain(`Run ${stage.run},`);
  expect(effects.find((effect) => effect.kind === "commit")?.request).toMatchObject({
    branch: `signalbox/${stage.run}`,
  });
});

const failResearchers = (...dead: readonly string[]) => ({
  researcher: ({ instance }: { instance: string }) =>
    dead.includes(instance) ? fails() : { contract: { summary: "found" } },
});

test("[L-04] four researchers work at once, one per focus", async () => {
  const played = await play();
  expect(sentTo(played, "researcher").map(({ instance }) => instance)).toEqual([
    "researcher-architecture",
    "researcher-impact",
    "researcher-dependencies",
    "researcher-patterns",
  ]);
  const started = played.records.findIndex((each) => each.type === "agent.started" && each.role === "researcher");
  const next = played.records.slice(started, started + 4);
  expect(next.map((record) => record.type)).toEqual(Array.from({ length: 4 }, () => "agent.started"));
});

test("[L-04] a failed researcher is retried once, and two that deliver are enough", async () => {
  const played = await play({ parts: failResearchers("researcher-impact", "researcher-patterns") });
  expect(played.status).toBe("done");
  const impact = sentTo(played, "researcher").filter(({ instance }) => instance === "researcher-impact");
  expect(impact.map(({ attempt }) => attempt)).toEqual([1, 2]);
  const [input] = inputsOf(played, "spec");
  expect(input?.["research"]).toHaveLength(2);
});

test("[L-04] with one researcher left the run ends in ERROR before the specification", async () => {
  const dead = failResearchers("researcher-impact", "researcher-patterns", "researcher-architecture");
  const played = await play({ parts: dead });
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("only 1 of 4") });
  expect(roles(played)).not.toContain("spec");
});

test("[L-05] after research a person chooses among proceed, expand, abort and other", async () => {
  const played = await play({ approvals: "interactive" });
  expect(played.status).toBe("waiting");
  expect(questions(played)).toMatchObject([
    { choices: ["proceed", "expand", "abort", "other"], auto: "proceed", title: expect.stringContaining("Research") },
  ]);
});

test("[L-05] autonomous mode chooses proceed and records that nobody was asked", async () => {
  const { records } = await play();
  const decided = records.filter((record) => record.type === "approval.decided");
  expect(decided[0]).toMatchObject({ choice: "proceed", by: "automatic" });
});

test.each(["expand", "other"])(
  "[L-05] %s runs research again with the person's notes, at most twice",
  async (choice) => {
    const answers = [1, 2].map((at) => ({ choice, note: `look at part ${at}` }));
    const played = await play({ approvals: "interactive", answers });
    const notes = inputsOf(played, "researcher").map((input) => input["notes"]);
    expect(notes).toEqual([undefined, "look at part 1", "look at part 2"].flatMap((note) => Array(4).fill(note)));
    expect(questions(played).at(-1)?.choices).toEqual(["proceed", "abort"]);
  },
);

test("[L-06] specification and design run one after the other, each with one retry", async () => {
  const once = ({ attempt }: { attempt: number }) => (attempt === 1 ? fails() : { contract: { summary: "done" } });
  const played = await play({ parts: { spec: once, designer: once } });
  expect(played.status).toBe("done");
  expect(roles(played).filter((role) => role === "spec" || role === "designer")).toEqual([
    "spec",
    "spec",
    "designer",
    "designer",
  ]);
});

test("[L-12] planning yields the plan, its tasks and its waves", async () => {
  const { files } = await play();
  expect(parse(files["plan-output.yaml"] ?? "")).toMatchObject({
    total_tasks: 2,
    waves: [
      { id: "wave-1", tasks: ["greet"], max_concurrent: 4 },
      { id: "wave-2", tasks: ["shout"] },
    ],
  });
  expect(parse(files["tasks/greet.yaml"] ?? "")).toMatchObject({ id: "greet", files: ["src/greet.ts"] });
  expect(files["plan.md"]).toContain("# Plan");
});

test("[L-12] the overall risk is the highest of any task", async () => {
  const risky = plans(
    task("greet", { risk: "green" }),
    task("shout", { risk: "🔴" }),
    task("wave", { risk: "medium" }),
  );
  const { files } = await play({ parts: { planner: risky } });
  expect(parse(files["plan-output.yaml"] ?? "")).toMatchObject({ overall_risk_summary: "🔴" });
});

test("[L-13] after planning a person chooses among approve, revise and abort", async () => {
  const played = await play({ approvals: "interactive", answers: ["proceed"] });
  expect(played.status).toBe("waiting");
  expect(questions(played).at(-1)).toMatchObject({ choices: ["approve", "revise", "abort"], auto: "approve" });
  expect(roles(played)).not.toContain("implementer");
});

test("[L-44] autonomous mode approves the plan by itself", async () => {
  const { records } = await play();
  const decided = records.filter((record) => record.type === "approval.decided");
  expect(decided[1]).toMatchObject({ choice: "approve", by: "automatic" });
});

test("[L-44] revise returns to the planner with the note, at most twice", async () => {
  const answers = ["proceed", { choice: "revise", note: "smaller" }, { choice: "revise", note: "smaller still" }];
  const played = await play({ approvals: "interactive", answers });
  expect(inputsOf(played, "planner").map((input) => input["note"])).toEqual([undefined, "smaller", "smaller still"]);
  expect(questions(played).at(-1)?.choices).toEqual(["approve", "abort"]);
});

test.each([[["abort"]], [["proceed", "abort"]]])(
  "[L-44] abort ends the run, nothing committed: %j",
  async (answers) => {
    const played = await play({ approvals: "interactive", answers });
    expect(played).toMatchObject({ status: "error", exit: 1, reason: "aborted" });
    expect(played.effects.map(({ kind }) => kind)).not.toContain("commit");
  },
);

test("[L-32] the slug is kebab-case from the request, and step 0 writes the request to a file", async () => {
  const played = await play({ request: "Greet PEOPLE, by name!" });
  expect(played.files["initial-request.md"]).toBe("Greet PEOPLE, by name!\n");
  const first = played.records.find((record) => record.type === "step.started" && record.verb === "write");
  expect(first).toMatchObject({ phase: "0 Setup" });
});

test("[L-33] the feature's folder has every file of the list", async () => {
  const perspectives = ["security-sentinel", "architecture-guardian", "pragmatic-verifier"];
  const reviews = ["design", "code"].flatMap((scope) =>
    perspectives.flatMap((name) => [`review-findings/${scope}-${name}.md`, `review-verdicts/${scope}-${name}.yaml`]),
  );
  const tasks = ["greet", "shout"].flatMap((id) => [
    `tasks/${id}.yaml`,
    `implementation-reports/${id}.yaml`,
    `verification-reports/${id}.yaml`,
  ]);
  const { files } = await play();
  expect(Object.keys(files).sort()).toEqual(
    [
      "initial-request.md",
      ...["architecture", "impact", "dependencies", "patterns"].map((focus) => `research/${focus}.yaml`),
      ...["spec-output.yaml", "feature.md", "design-output.yaml", "design.md", "plan-output.yaml", "plan.md"],
      ...tasks,
      ...reviews,
      ...["knowledge-output.yaml", "decisions.yaml", "evidence-bundle.md"],
    ].sort(),
  );
});

test("[L-33] decisions.yaml is append-only: decisions of earlier runs stay byte for byte", async () => {
  const before = "# ours\n- {id: DL-1, title: old}\n";
  const entry = { id: "DL-2", title: "new", rationale: "because" };
  const { files, stage } = await play({
    base: { [`${FOLDER}/decisions.yaml`]: before },
    parts: { knowledge: says({ decision_log_entries: [entry] }) },
  });
  const text = files["decisions.yaml"] ?? "";
  expect(text.startsWith(before)).toBe(true);
  expect(parse(text)).toMatchObject([{ id: "DL-1" }, { id: stage.run }, entry]);
});

test("[L-34] every role gets its inputs and nothing more", async () => {
  const once = ({ round, phase }: { round: number; phase: string }) => ({
    contract: { verdicts: { ...approve, ...(round === 1 && { security: "needs_revision" }) }, summary: phase },
  });
  const shaky = ({ round }: { round: number }) => ({ contract: { status: round === 1 ? "NEEDS_REVISION" : "DONE" } });
  const played = await play({ parts: { reviewer: once, verifier: shaky, planner: plans(task("greet")) } });
  const keys = (role: string) => [...new Set(inputsOf(played, role).map((input) => Object.keys(input).sort().join()))];
  expect(keys("evaluator")).toEqual(["request"]);
  expect(keys("researcher")).toEqual(["focus,looks_at,request"]);
  expect(keys("spec")).toEqual(["documents,request,research"]);
  expect(keys("designer")).toEqual([
    "documents,research,review,spec",
    "design,documents,findings,research,review,spec",
  ]);
  const reviewed = "looks_for,request,review_perspective,review_scope,round,spec,task_id,tree";
  expect(keys("reviewer")).toEqual([
    `design,documents,${reviewed}`,
    `design,documents,earlier,${reviewed}`,
    `diff,documents,evidence,looks_for,reports,${reviewed.slice("looks_for,".length)}`,
  ]);
  expect(keys("planner")).toEqual([
    "design,documents,spec,verdicts",
    "accepted,design,documents,findings,mode,plan,reports,spec,verdicts",
  ]);
  expect(keys("implementer")).toEqual(["documents,task", "before,documents,findings,task"]);
  expect(keys("verifier")).toEqual([
    "diff,documents,report,request,spec,task",
    "before,diff,documents,findings,report,request,spec,task",
  ]);
  expect(keys("knowledge")).toEqual(["changed,confidence,documents,findings,request,went_wrong"]);
});

test("[L-36] a concern below a blocker asks in interactive mode", async () => {
  const concerned = says({ concerns: [{ kind: "vagueness", severity: "minor", text: "which people?" }] });
  const played = await play({ approvals: "interactive", parts: { evaluator: concerned } });
  expect(played.status).toBe("waiting");
  expect(questions(played)[0]).toMatchObject({
    choices: ["go on", "answer", "abort"],
    show: [{ text: "which people?" }],
  });
});

test("[L-36] a concern below a blocker is recorded in autonomous mode, and the run continues", async () => {
  const played = await play({ parts: { evaluator: says({ concerns: ["which people?"] }) } });
  expect(played.status).toBe("done");
  expect(played.records.find((record) => record.type === "approval.decided")).toMatchObject({
    choice: "go on",
    by: "automatic",
  });
});

test.each([
  ["main", ["README.md"], "uncommitted changes on main"],
  ["main", [], ""],
  ["feature/x", ["README.md"], ""],
])("[L-36] a dirty tree warns on the main branch only: %s with %j", async (branch, dirt, warning) => {
  const played = await play({
    perform: (effect, paper) =>
      effect.kind === "see" && effect.request.what === "checkout" ? { branch, dirt, operation: null } : paper(effect),
  });
  expect(played.status).toBe("done");
  expect(JSON.stringify(notes(played))).toContain(`"warning":${JSON.stringify(warning)}`);
});

function notes({ records }: Awaited<ReturnType<typeof play>>): unknown[] {
  const keys = records.flatMap((each) => (each.type === "step.started" && each.verb === "note" ? [each.key] : []));
  return records.flatMap((each) => (each.type === "step.finished" && keys.includes(each.key) ? [each.value] : []));
}
