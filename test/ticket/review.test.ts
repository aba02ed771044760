import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { STEPS } from "../../src/pipelines/ticket/files/progress.ts";
import { createDocsCache, DOCS } from "../../src/pipelines/ticket/preparing/docs.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import {
  BRANCH,
  builds,
  commits,
  DOC_FILES,
  DONE,
  developed,
  events,
  FOLDER,
  graph,
  isTaskReview,
  LINE,
  logOf,
  type Played,
  plans,
  play,
  progressOf,
  reviews,
  roles,
  sentTo,
  TRIVIAL,
  task,
  yamlIn,
} from "./paper.ts";

const iterationReviews = (played: Played) => sentTo(played, "Reviewer").filter((request) => !isTaskReview(request));
/** Rejects the whole until the given iteration. */
const until = (round: number, more: object = {}) =>
  reviews((request) =>
    isTaskReview(request) || request.round >= round
      ? { status: "ACCEPTED" }
      : { status: "REJECTED", summary: "the shout is missing", ...more },
  );

test("[T-22] a review that covers no criteria is no review: it is requested again, and then nothing is accepted", async () => {
  const Reviewer = () => ({ contract: { status: "ACCEPTED", summary: "all is well" } });
  const played = await play({ parts: { Planner: plans(LINE), Reviewer } });
  const first = sentTo(played, "Reviewer").slice(0, 2);
  expect(first.map(({ task, attempt }) => [task, attempt])).toEqual([
    ["T1", 1],
    ["T1", 2],
  ]);
  expect(first[1]?.retry?.because).toContain("criteria should be");
  expect(commits(played)).toEqual([]);
});

test.each([
  [{ criterion: "it greets" }, false],
  [{ "it greets": "NOT MET" }, false],
  [{ criterion: "it greets", met: true }, true],
  [{ criterion: "it greets", status: "met" }, true],
  ["it greets: src/T1.ts line 1", true],
])(
  "[T-22] a criterion %j is accepted: %s; one without a verdict makes the answer invalid",
  async (criterion, accepted) => {
    const Reviewer = () => ({ contract: { status: "ACCEPTED", criteria: [criterion] } });
    const played = await play({ parts: { Planner: plans(LINE), Reviewer } });
    expect(commits(played)).toHaveLength(accepted ? 1 : 0);
  },
);

test("[T-22] a rejection leads to the next iteration, an acceptance to the commit", async () => {
  const played = await play({ parts: { Reviewer: until(3), Planner: plans(LINE) } });
  expect(played.status).toBe("done");
  expect(iterationReviews(played)).toHaveLength(3);
  expect(sentTo(played, "Planner")).toHaveLength(3);
  expect(commits(played)).toHaveLength(1);
  expect(yamlIn(played, "progress.yaml")["iterations"]).toMatchObject([
    { number: 0, status: "REJECTED", tasks_total: 2, tasks_accepted: 2 },
    { number: 1, status: "REJECTED" },
    { number: 2, status: "ACCEPTED", completed_at: expect.any(String) },
  ]);
});

test("[T-49] the reviewer of the whole runs once every task of every group is accepted", async () => {
  const played = await play();
  const accepted = played.effects.findIndex(
    (effect) =>
      effect.kind === "write" &&
      effect.request.path.endsWith("tasks.yaml") &&
      (effect.request.text.match(/status: ACCEPTED/g) ?? []).length === 3,
  );
  const asked = played.effects.findIndex(
    (effect) => effect.kind === "attempt" && effect.request.role === "Reviewer" && !isTaskReview(effect.request),
  );
  expect(accepted).toBeGreaterThan(0);
  expect(asked).toBeGreaterThan(accepted);
});

test("the review of the whole gets the tasks of every iteration, without their outcomes", async () => {
  const Planner = (request: AttemptRequest) =>
    plans(request.round === 1 ? LINE : graph([task("T1", "A"), task("T9", "B")]))(request);
  const played = await play({ parts: { Planner, Reviewer: until(2) } });
  const [first, second] = iterationReviews(played).map(({ input }) => input as Record<string, unknown>);
  const shown = (id: string) => ({ id, description: `Build ${id}`, success_criteria: ["it builds"] });
  expect(first?.["tasks"]).toEqual([shown("T1"), shown("T2")]);
  expect(first).not.toHaveProperty("tasks_before");
  expect(second?.["tasks"]).toEqual([shown("T1"), shown("T9")]);
  expect(second?.["tasks_before"]).toEqual(["Build T2"]);
});

test("[T-49] a report without one of the two words is no acceptance", async () => {
  const Reviewer = reviews((request) => ({ status: isTaskReview(request) ? "ACCEPTED" : "LOOKS_GOOD" }));
  const played = await play({ parts: { Reviewer, Planner: plans(LINE) } });
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("Reviewer failed") });
  expect(commits(played)).toEqual([]);
});

test("[T-49] an acceptance that leaves a criterion unmet is none", async () => {
  const Reviewer = reviews((request) =>
    isTaskReview(request) || request.round > 1
      ? { status: "ACCEPTED" }
      : { status: "ACCEPTED", criteria: [{ criterion: "it greets", met: false }] },
  );
  const played = await play({ parts: { Reviewer, Planner: plans(LINE) } });
  expect(iterationReviews(played)).toHaveLength(2);
});

test("[T-39] a report file written by the reviewer counts, and must agree with its answer", async () => {
  const wrote = (status: string) => (request: AttemptRequest) => ({
    contract: { criteria: [], status: "ACCEPTED" },
    files: isTaskReview(request)
      ? {}
      : { [`${FOLDER}/iteration_0/review_report.yaml`]: stringify({ status, summary: "as seen" }) },
  });
  const good = await play({ parts: { Reviewer: wrote("ACCEPTED"), Planner: plans(LINE) } });
  expect(yamlIn(good, "iteration_0/review_report.yaml")).toMatchObject({ status: "ACCEPTED", summary: "as seen" });
  const torn = await play({ parts: { Reviewer: wrote("REJECTED"), Planner: plans(LINE) } });
  expect(torn).toMatchObject({ status: "error", reason: expect.stringContaining("says REJECTED") });
  const vague = await play({ parts: { Reviewer: wrote("MAYBE"), Planner: plans(LINE) } });
  expect(vague).toMatchObject({ status: "error", reason: expect.stringContaining("ACCEPTED | REJECTED") });
});

test("[T-40] a report in the reviewer's own format is stored whole, and goes whole into the next iteration", async () => {
  const written = {
    status: "REJECTED",
    findings: ["no docs", { issue: "slow", severity: "HIGH" }],
    notes: ["see a.ts"],
  };
  const Reviewer = (request: AttemptRequest) => ({
    contract: { criteria: [], status: isTaskReview(request) || request.round > 1 ? "ACCEPTED" : "REJECTED" },
    files:
      isTaskReview(request) || request.round > 1
        ? {}
        : { [`${FOLDER}/iteration_0/review_report.yaml`]: stringify(written) },
  });
  const played = await play({ parts: { Reviewer, Planner: plans(LINE) } });
  expect(played.status).toBe("done");
  const kept = yamlIn(played, "iteration_0/review_report.yaml");
  expect(kept).toMatchObject({ notes: ["see a.ts"], findings: [{ message: "no docs" }, { message: "slow: HIGH" }] });
  expect(JSON.stringify(sentTo(played, "Planner")[1]?.input)).toContain("see a.ts");
});

test.each([
  [["it greets: NOT MET"], []],
  [{ "it greets": "NOT MET" }, []],
  [[{ criterion: "it greets", status: "NOT MET" }], []],
  [[], [{ criterion: "it greets", met: false }]],
])("[T-49] an unmet criterion counts in any format, in the file and next to it: %j %j", async (inFile, said) => {
  const Reviewer = (request: AttemptRequest) =>
    isTaskReview(request) || request.round > 1
      ? { contract: { criteria: [], status: "ACCEPTED" } }
      : {
          contract: { status: "ACCEPTED", criteria: said },
          files: { [`${FOLDER}/iteration_0/review_report.yaml`]: stringify({ status: "ACCEPTED", criteria: inFile }) },
        };
  const played = await play({ parts: { Reviewer, Planner: plans(LINE) } });
  expect(iterationReviews(played)).toHaveLength(2);
});

test("[T-22] the reviewer gets the change, the evidence and what could not be tested", async () => {
  const played = await play({ commands: [{ name: "build", run: "make" }], parts: { Planner: plans(LINE) } });
  expect(iterationReviews(played)[0]?.input).toMatchObject({
    mode: "prompt-review",
    build: "PASSED",
    tests: "NOT_AVAILABLE",
    diff: expect.stringContaining("src/T1.ts"),
    evidence: [{ check: "build", outcome: "passed" }],
  });
});

test("[T-50] the fifth rejection stops the run, nothing is committed, exit 5", async () => {
  const played = await play({ parts: { Reviewer: until(9), Planner: plans(LINE) } });
  expect(played).toMatchObject({
    status: "error",
    exit: 5,
    reason: "MAXIMUM ITERATIONS REACHED (5/5). STOPPING.",
  });
  expect(sentTo(played, "Planner")).toHaveLength(5);
  expect(commits(played)).toEqual([]);
  expect(yamlIn(played, "progress.yaml")).toMatchObject({ status: "REJECTED", iteration_number: 4 });
});

test("[T-56] a rejected iteration is not reset: the next one continues from the same tree", async () => {
  const Planner = (request: AttemptRequest) =>
    plans(request.round === 1 ? LINE : graph([task("T8", "A"), task("T9", "B")]))(request);
  const played = await play({ parts: { Reviewer: until(2), Planner } });
  const second = sentTo(played, "Developer").find((request) => request.task === "T8");
  expect(Object.keys(changesIn(second?.tree ?? ""))).toEqual(expect.arrayContaining(["src/T1.ts", "src/T2.ts"]));
  expect(Object.keys(changesIn(commits(played)[0]?.tree ?? ""))).toEqual(
    expect.arrayContaining(["src/T1.ts", "src/T8.ts"]),
  );
});

test("[T-23] the commit names type, ticket, iteration and summary, and has the run's changes only", async () => {
  const played = await play({ parts: { Reviewer: until(2), Planner: plans(LINE) } });
  const [made] = commits(played);
  const [subject = ""] = (made?.message ?? "").split("\n");
  expect(subject).toBe("feat(ABC-12): complete iteration 2 — Add three small modules to the…");
  expect(subject.length).toBeLessThan(72);
  expect(Object.keys(changesIn(made?.tree ?? "")).sort()).toEqual([...DOCS, "src/T1.ts", "src/T2.ts"].sort());
  expect(made?.rendered.map(({ path }) => path)).toEqual([".gitignore"]);
});

test.each([
  ["fix", "fix"],
  ["add", "feat"],
  ["update", "chore"],
])("[T-23] a request to %s is committed as %s", async (word, type) => {
  const played = await play({ request: `ABC-12: ${word} the greeting now`, parts: { Planner: plans(TRIVIAL) } });
  expect(commits(played)[0]?.message).toMatch(new RegExp(`^${type}\\(ABC-12\\): `));
});

const documents = { ...DOC_FILES, "src/old.ts": "" };
const trusted = {
  base: documents,
  checkout: {
    "docs/docs_cache_state.yaml": stringify(
      createDocsCache({
        "docs/ARCHITECTURE.md": DOC_FILES["docs/ARCHITECTURE.md"],
        "docs/CODE_STYLE.md": DOC_FILES["docs/CODE_STYLE.md"],
        "docs/FINDINGS.md": DOC_FILES["docs/FINDINGS.md"],
      }),
    ),
  },
};

test("[T-08] documents with matching digests in their cache need no Initializer", async () => {
  const played = await play({ ...trusted, parts: { Planner: plans(TRIVIAL) } });
  expect(played.status).toBe("done");
  expect(roles(played)).not.toContain("Initializer");
  expect(progressOf(played)[0]).toMatchObject({ docs_trusted_for_planning: true, trust_status: "trusted" });
});

test("[T-33] only the documents that changed are refreshed", async () => {
  const base = { ...documents, "docs/CODE_STYLE.md": "# Changed\n" };
  const played = await play({ ...trusted, base, parts: { Planner: plans(TRIVIAL) } });
  expect(sentTo(played, "Initializer")[0]).toMatchObject({
    writes: ["docs/CODE_STYLE.md"],
    input: { mode: "REFRESH_IF_REQUIRED", documents: ["docs/CODE_STYLE.md"] },
  });
});

test("[T-24] trusted documents stay unchanged if the layout does", async () => {
  const played = await play({ ...trusted, parts: { Planner: plans(TRIVIAL) } });
  expect(events(played)).not.toContain("docs.refresh");
  const skipped = played.records.filter((record) => record.type === "phase.skipped");
  expect(skipped).toContainEqual(expect.objectContaining({ title: "Docs refresh" }));
});

test("[T-24] documents are refreshed before the commit if a folder was added", async () => {
  const only = task("T1", "A", { files_to_modify: ["lib/new.ts"] });
  const Developer = () => ({ contract: DONE, files: { "lib/new.ts": "x" } });
  const played = await play({ ...trusted, parts: { Planner: plans(graph([only])), Developer } });
  expect(sentTo(played, "Initializer").map(({ input }) => input)).toMatchObject([{ mode: "INCREMENTAL" }]);
  const refreshed = played.effects.findIndex((each) => each.kind === "attempt" && each.request.role === "Initializer");
  const committed = played.effects.findIndex((each) => each.kind === "commit");
  expect(refreshed).toBeLessThan(committed);
  expect(logOf(played).find(({ event }) => event.endsWith("docs.refresh"))?.message).toBe("lib/");
});

test("[T-24] documents that were not trusted are refreshed before the commit and are part of it", async () => {
  const played = await play({ parts: { Planner: plans(TRIVIAL) } });
  expect(events(played)).toContain("docs.refresh");
  expect(changesIn(commits(played)[0]?.tree ?? "")).toMatchObject(DOC_FILES);
  expect(yamlIn(played, "docs/docs_cache_state.yaml")).toMatchObject({ trust_status: "trusted" });
});

test("[T-24] a refresh that changes code, or makes a check red, is left out", async () => {
  const Initializer = (request: AttemptRequest) => ({
    contract: DONE,
    files: { ...DOC_FILES, ...(request.phase === "Docs refresh" && { "docs/FINDINGS.md": RED }) },
  });
  const played = await play({ parts: { Planner: plans(TRIVIAL), Initializer } });
  expect(played.status).toBe("done");
  expect(changesIn(commits(played)[0]?.tree ?? "")).toMatchObject(DOC_FILES);
  const stray = (request: AttemptRequest) => ({
    contract: DONE,
    files: { ...DOC_FILES, ...(request.phase === "Docs refresh" && { "src/sly.ts": "x" }) },
  });
  const sly = await play({ parts: { Planner: plans(TRIVIAL), Initializer: stray } });
  expect(sly.status).toBe("done");
  expect(logOf(sly)).toContainEqual(expect.objectContaining({ role_violation: "Initializer" }));
  expect(changesIn(commits(sly)[0]?.tree ?? "")).not.toHaveProperty(["src/sly.ts"]);
});

test("[T-53] an Initializer may write the cache next to its documents; the engine's own version counts", async () => {
  const cache = { "docs/docs_cache_state.yaml": "trust_status: trusted\n" };
  const Initializer = () => ({ contract: DONE, files: { ...DOC_FILES, ...cache } });
  const played = await play({ parts: { Planner: plans(TRIVIAL), Initializer } });
  expect(logOf(played).some(({ level }) => level !== "INFO")).toBe(false);
  expect(changesIn(commits(played)[0]?.tree ?? "")).not.toHaveProperty(["docs/docs_cache_state.yaml"]);
  expect(yamlIn(played, "docs/docs_cache_state.yaml")).toHaveProperty("workspace_fingerprint");
});

test("[T-54] the two lines of .gitignore are part of the commit, and belong to no task's files", async () => {
  const played = await play({ base: { ".gitignore": "dist" }, parts: { Planner: plans(TRIVIAL) } });
  expect(commits(played)[0]?.rendered).toEqual([
    { path: ".gitignore", text: "dist\nprompts/\ndocs/docs_cache_state.yaml\n" },
  ]);
  const early = played.sent.flatMap(({ rendered }) => rendered.map(({ path }) => path));
  expect(early).toEqual([]);
  expect(developed(played)).toEqual(["T1@1"]);
});

test("[T-54] the project's own prompts are not ignored with the ticket's", async () => {
  const played = await play({ base: { "prompts/a.md": "mine\n" }, parts: { Planner: plans(TRIVIAL) } });
  expect(commits(played)[0]?.rendered).toEqual([
    { path: ".gitignore", text: `${FOLDER}/\ndocs/docs_cache_state.yaml\n` },
  ]);
});

test("[T-54] a .gitignore that a task changed keeps the change", async () => {
  const only = task("T1", "A", { files_to_modify: ["src/T1.ts", ".gitignore"] });
  const Developer = builds(
    () => "x",
    () => ({ ".gitignore": "dist\n" }),
  );
  const played = await play({ parts: { Planner: plans(graph([only])), Developer } });
  expect(commits(played)[0]?.rendered[0]?.text).toBe("dist\nprompts/\ndocs/docs_cache_state.yaml\n");
});

test("[T-27] the end reports iterations, tasks, build, tests, branch and report", async () => {
  const played = await play({ parts: { Reviewer: until(2), Planner: plans(LINE) } });
  expect(played).toMatchObject({
    status: "done",
    exit: 0,
    reason: "development complete in 2 iteration(s)",
    report: {
      iterations: 2,
      tasks: 2,
      build: "PASSED",
      tests: "PASSED",
      branch: BRANCH,
      report: `${FOLDER}/iteration_1/review_report.yaml`,
    },
  });
});

test("[T-25] the log has every event of a whole run, each at its step", async () => {
  expect(events(await play())).toEqual([
    "startup.analysis.start",
    "startup.analysis.complete",
    "start",
    "iteration.start",
    "planner.pre_git_gate.start",
    "planner.complete",
    "splitter.skipped_planner_provided",
    "tasks.ready",
    "git.gate.start",
    "git.gate.complete",
    "iteration.accepted",
    "docs.refresh",
  ]);
});

test("[T-25] the log is append-only", async () => {
  const played = await play({
    checkout: { [`${FOLDER}/log.jsonl`]: "an older line\n" },
    parts: { Planner: plans(TRIVIAL) },
  });
  const logs = played.written.filter(({ path }) => path === "log.jsonl").map(({ text }) => text);
  expect(logs[0]).toMatch(/^an older line\n/);
  for (const [at, text] of logs.entries()) expect(text.startsWith(logs[at - 1] ?? "")).toBe(true);
});

test("[T-37] the ticket's folder has the specified files and no others", async () => {
  const played = await play({ parts: { Reviewer: until(2) } });
  const at = (iteration: number) =>
    ["plan.md", "tasks.yaml", "review_report.yaml"].map((name) => `iteration_${iteration}/${name}`);
  const others = [".gitignore", "docs/docs_cache_state.yaml"];
  expect([...new Set(played.written.map(({ path }) => path))].sort()).toEqual(
    [...others, "log.jsonl", "progress.yaml", "prompt.yaml", "tmp/.gitkeep", ...at(0), ...at(1)].sort(),
  );
});

test("[T-38] phases and steps come in order, each step in its phase", async () => {
  const states = progressOf(await play({ parts: { Reviewer: until(2), Planner: plans(LINE) } }));
  const steps = states.map(({ current_step }) => current_step).filter((step, at, all) => step !== all[at - 1]);
  expect(steps).toEqual(["I2", "O1", "O3", "O4", "O4.5", "O5", "O6", "O1", "O3", "O4", "O5", "O6", "O7"]);
  expect(STEPS).toEqual({
    I2: "INITIALIZED",
    O1: "PLANNING",
    O3: "PLANNING",
    O4: "SPLITTING",
    "O4.5": "GIT_GATE",
    O5: "TASK_EXECUTION",
    O6: "REVIEW",
    O7: "DOC_REFRESH",
  });
  for (const { current_phase, current_step } of states) expect(current_phase).toBe(STEPS[current_step]);
});

test("[A-18] a red tree is never committed, whatever the reviewer reports", async () => {
  const Developer = builds(() => RED);
  const played = await play({ parts: { Planner: plans(LINE), Developer } });
  expect(played.status).toBe("paused");
  expect(commits(played)).toEqual([]);
});
