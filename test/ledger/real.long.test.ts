import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";
import { openSqlite } from "../../src/hosts/sqlite/open.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import { SLUG } from "./paper.ts";
import { treeAfter } from "./repository.ts";
import { FILES, perform, type Scene, type Setting, script } from "./scripted.ts";

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) scene.remove();
});
async function scene(setting: Setting = {}): Promise<Scene> {
  const made = await perform(setting);
  scenes.push(made);
  return made;
}
function ask(database: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}
/** Returns the rollback command of the run's report, with the commit's own id. */
function findRollback({ records }: Pick<Scene, "records">): string {
  const report = records.findLast((record) => record.type === "run.finished")?.report ?? {};
  const { commit } = report as { commit?: { rollback: string } };
  return commit?.rollback ?? "";
}

test("[L-03] [A-05] the ledger, the refs, the folder and the commit have one run id", async () => {
  const { run, database, git, dir } = await scene();
  for (const table of ["anvil_checks", "pipeline_telemetry"]) {
    expect(ask(database, `SELECT DISTINCT run_id FROM ${table}`)).toEqual([{ run_id: run }]);
  }
  expect(git("for-each-ref", "--format=%(refname)", `refs/signalbox/${run}`)).not.toBe("");
  expect(git("log", "-1", "--format=%B", `signalbox/${run}`)).toContain(`Signalbox-Run: ${run}`);
  const mirrored = join(dir, "runs", run, "artifacts", "docs/feature", SLUG, "evidence-bundle.md");
  expect(readFileSync(mirrored, "utf8")).toContain(run);
});

test("[L-14] a ref with the run's own name points at the baseline", async () => {
  const { git, run, baseline } = await scene();
  expect(git("for-each-ref", "--format=%(objectname)", `refs/signalbox/${run}`).split("\n")).toContain(baseline);
});

const STUBBORN = `
  - role: implementer
    do:
      - run: "ls src > ../seen-$SIGNALBOX_ROUND; cp ../seen-$SIGNALBOX_ROUND src/seen.txt"
      - write: { path: src/made.js, content: "BROKEN\\n" }
      - write: { path: src/greet.js, content: "BROKEN\\n" }
    output: { status: DONE }`;

test("[L-18] a return to the baseline removes the files that the task created", async () => {
  const planner = `
  - role: planner
    output: { tasks: [{ id: greet, files: [src/greet.js, src/made.js, src/seen.txt] }] }`;
  const { records, git } = await scene({ agents: script(planner, STUBBORN) });
  const seen = records.flatMap((each) =>
    each.type === "agent.finished" && each.role === "implementer" ? [git("show", `${each.after}:src/seen.txt`)] : [],
  );
  expect(seen[0]?.split("\n")).not.toContain("made.js");
  expect(seen[1]?.split("\n")).toContain("made.js");
  expect(seen[2]?.split("\n")).toEqual(seen[0]?.split("\n"));
});

test("[L-21] the rollback command restores the baseline tree: before the commit, after it, and after landing", async () => {
  const { git, repo, run, dir, baseline, records } = await scene();
  const committed = git("show", `signalbox/${run}:docs/feature/${SLUG}/evidence-bundle.md`);
  const inBundle = /## Rollback\n\n {4}(.*)/.exec(committed)?.[1] ?? "";
  const named = findRollback({ records });
  expect(git("rev-parse", `signalbox/${run}^{tree}`)).not.toBe(baseline);
  for (const command of [inBundle, named]) {
    expect(command).toContain("git revert");
    expect(treeAfter(command, { repo, branch: "main" })).toBe(baseline);
    expect(treeAfter(command, { repo, branch: `signalbox/${run}` })).toBe(baseline);
  }
  const workspace = await gitWorkspace({ repo, cache: join(dir, "cache") });
  const commit = git("rev-parse", `signalbox/${run}`);
  expect(await workspace.land({ run, commit, date: 1_900_000_000_000 })).toMatchObject({ status: "landed" });
  expect(git("rev-parse", "HEAD^{tree}")).not.toBe(baseline);
  for (const command of [inBundle, named]) expect(treeAfter(command, { repo, branch: "main" })).toBe(baseline);
});

test("[L-21] the rollback command keeps commits of others on top", async () => {
  const { git, repo, run, records } = await scene();
  git("merge", "-q", "--ff-only", `signalbox/${run}`);
  writeFileSync(join(repo, "other.txt"), "mine\n");
  git("add", "other.txt");
  git("commit", "-qm", "other work");
  const tree = treeAfter(findRollback({ records }), { repo, branch: "main" });
  // The copy's objects are gone with it, so an equal tree is made here for comparison.
  git("read-tree", "main~2");
  git("add", "other.txt");
  expect(git("write-tree")).toBe(tree);
});

test("[L-22] only the run's own changes are committed; the user's index, files and branch stay unchanged", async () => {
  const before = ({ repo, git }: { repo: string; git(...args: string[]): string }): void => {
    writeFileSync(join(repo, "untracked.txt"), "mine\n");
    writeFileSync(join(repo, "README.md"), "# Greeting, changed\n");
    writeFileSync(join(repo, "src/old.js"), "staged\n");
    git("add", "src/old.js");
  };
  const { git, run, repo } = await scene({ before });
  const changed = git("diff", "--name-only", "main", `signalbox/${run}`).split("\n");
  expect(changed.filter((path) => !path.startsWith("docs/feature/"))).toEqual(["src/greet.js"]);
  expect(git("diff", "--name-only")).toBe("README.md");
  expect(git("diff", "--name-only", "--cached")).toBe("src/old.js");
  expect(git("log", "--format=%s", "main")).toBe("begin");
  expect(readFileSync(join(repo, "untracked.txt"), "utf8")).toBe("mine\n");
  const message = git("log", "-1", "--format=%B", `signalbox/${run}`);
  expect(message).toMatch(/^feat: greet people by name\n\n- greet\n/);
  expect(git("log", "-1", "--format=%(trailers:key=Co-authored-by,valueonly)", `signalbox/${run}`)).toBe("pipeline");
});

const HOSTILE = `'); DROP TABLE anvil_checks; -- $(touch owned) \`touch owned\` "x"`;

test("[L-27] hostile text in any field is stored unchanged and never executed", async () => {
  const text = JSON.stringify(HOSTILE);
  const reviewer = `
  - role: reviewer
    instance: pragmatic-verifier
    output:
      verdicts: { security: approve, architecture: approve, correctness: needs_revision }
      summary: ${text}
      findings: [{ severity: Major, category: correctness, message: ${text} }]`;
  const knowledge = `
  - role: knowledge
    output:
      artifact_evaluations: [{ artifact_path: ${text}, usefulness_score: 5, clarity_score: 5, inaccuracies: ${text} }]
      instruction_updates: [{ file_path: .github/copilot-instructions.md, change_type: append, change_summary: ${text} }]`;
  const spec = `
  - role: researcher
    instance: researcher-impact
    output: { status: ERROR, summary: ${text} }`;
  const made = await scene({ agents: script(reviewer, knowledge, spec), request: `Greet people by name ${HOSTILE}` });
  expect(made.status).toBe("done");
  const said = "SELECT output_snippet AS said FROM anvil_checks WHERE instance = 'pragmatic-verifier' AND passed = 0";
  expect(ask(made.database, said)).toEqual([{ said: HOSTILE }, { said: HOSTILE }]);
  expect(ask(made.database, "SELECT artifact_path, inaccuracies FROM artifact_evaluations")).toEqual([
    { artifact_path: HOSTILE, inaccuracies: HOSTILE },
  ]);
  expect(ask(made.database, "SELECT change_summary AS said FROM instruction_updates")).toEqual([{ said: HOSTILE }]);
  expect(readdirSync(made.dir, { recursive: true }).filter((path) => String(path).endsWith("owned"))).toEqual([]);
  expect(ask(made.database, "SELECT notes FROM pipeline_telemetry WHERE status = 'ERROR'")).toEqual([
    { notes: HOSTILE },
  ]);
});

test("[L-35] the ledger has its four tables with the specified columns", async () => {
  const { database } = await scene();
  const columns = (table: string) =>
    ask(database, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
  expect(columns("anvil_checks")).toEqual(
    expect.arrayContaining([
      "id",
      "run_id",
      "task_id",
      "phase",
      "check_name",
      "tool",
      "command",
      "exit_code",
      "output_snippet",
      "passed",
      "verdict",
      "severity",
      "round",
      "instance",
      "ts",
    ]),
  );
  expect(columns("pipeline_telemetry")).toEqual(
    expect.arrayContaining([
      "id",
      "run_id",
      "step",
      "agent",
      "instance",
      "started_at",
      "completed_at",
      "status",
      "dispatch_count",
      "retry_count",
      "notes",
      "ts",
    ]),
  );
  expect(columns("artifact_evaluations")).toEqual(
    expect.arrayContaining([
      "id",
      "run_id",
      "evaluator_agent",
      "evaluator_instance",
      "artifact_path",
      "usefulness_score",
      "clarity_score",
      "missing_information",
      "inaccuracies",
      "impact_on_work",
      "ts",
    ]),
  );
  expect(columns("instruction_updates")).toEqual(
    expect.arrayContaining(["id", "run_id", "agent", "file_path", "change_type", "change_summary", "applied", "ts"]),
  );
});

test.each([
  [
    "a phase that is none",
    "INSERT INTO anvil_checks (run_id, phase, check_name, passed, ts) VALUES ('r', 'verification', 'c', 1, '')",
  ],
  [
    "a verdict that is none",
    "INSERT INTO anvil_checks (run_id, phase, check_name, passed, verdict, ts) VALUES ('r', 'review', 'c', 1, 'fine', '')",
  ],
  [
    "a status that is none",
    "INSERT INTO pipeline_telemetry (run_id, step, agent, started_at, status, ts) VALUES ('r', 's', 'a', '', 'MAYBE', '')",
  ],
  [
    "a score of 11",
    "INSERT INTO artifact_evaluations (run_id, evaluator_agent, artifact_path, usefulness_score, clarity_score, ts) VALUES ('r', 'a', 'p', 11, 1, '')",
  ],
  [
    "instructions for anything else",
    "INSERT INTO instruction_updates (run_id, agent, file_path, change_type, change_summary, ts) VALUES ('r', 'a', 'src/x', 'append', 's', '')",
  ],
])("[L-35] the ledger refuses %s", async (_what, sql) => {
  const dir = await createDatabase();
  const db = new DatabaseSync(dir);
  try {
    expect(() => db.exec(sql)).toThrow(/CHECK constraint failed/);
  } finally {
    db.close();
  }
});

/** A command that cannot run, so the run ends before any dispatch. */
const UNFIT = [{ name: "test", run: "no-such-program" }];

async function createDatabase(): Promise<string> {
  const made = await scene({ commands: UNFIT });
  return made.database;
}

test("[L-35] the ledger is in WAL mode and waits five seconds for a lock", async () => {
  const { database } = await scene({ commands: UNFIT });
  expect(ask(database, "PRAGMA journal_mode")).toEqual([{ journal_mode: "wal" }]);
  const db = openSqlite({ file: database, world: createRealWorld() });
  expect(db.prepare("PRAGMA busy_timeout").get()).toEqual({ timeout: 5000 });
  db.close();
});

test("[L-35] a ledger that fails its integrity check stops the run before any dispatch", async () => {
  const { database, records } = await scene({ commands: UNFIT });
  expect(records.filter((record) => record.type === "agent.started")).toEqual([]);
  const bytes = readFileSync(database);
  // Damages pages after the first one: the header can still be read, the tables cannot.
  bytes.fill(0xff, 4096, Math.min(bytes.length, 4096 * 6));
  writeFileSync(database, bytes);
  expect(() => createSqliteHost({ file: database, world: createRealWorld() })).toThrow(
    expect.objectContaining({ code: "DATABASE_DAMAGED" }),
  );
});

test("[L-35] damage in pages that nothing reads at the start is found too", async () => {
  const { database } = await scene({ commands: UNFIT });
  const bytes = readFileSync(database);
  const page = 4096;
  bytes.fill(0xff, bytes.length - page);
  writeFileSync(database, bytes);
  expect(() => createSqliteHost({ file: database, world: createRealWorld() })).toThrow(
    expect.objectContaining({ code: "DATABASE_DAMAGED" }),
  );
});

test("[L-49] telemetry: every column, real times, and a status per dispatch", async () => {
  const slow = `
  - role: spec
    attempt: 1
    do: [{ misbehave: no-contract }]
  - role: spec
    do: [{ sleep: 30 }]
    output: { summary: specified }
  - role: verifier
    round: 1
    output: { status: NEEDS_REVISION }`;
  const { database, records } = await scene({ agents: script(slow) });
  const rows = ask(database, "SELECT * FROM pipeline_telemetry ORDER BY id");
  const spec = rows.find((row) => row["agent"] === "spec");
  expect(spec).toMatchObject({
    step: "2 Spec",
    instance: "",
    status: "DONE",
    dispatch_count: 2,
    retry_count: 1,
    notes: "",
  });
  const took = Date.parse(String(spec?.["completed_at"])) - Date.parse(String(spec?.["started_at"]));
  expect(took).toBeGreaterThanOrEqual(30);
  expect(rows.map((row) => row["status"])).toContain("NEEDS_REVISION");
  const dispatches = new Set(records.flatMap((each) => (each.type === "agent.started" ? [each.key] : [])));
  expect(rows).toHaveLength(dispatches.size);
});

const LARGE = `
  - role: planner
    output: { tasks: [{ id: greet, size: Large, risk: red, files: [src/greet.js] }] }`;

test("[L-53] the engine's own checks count: one command and a Large task are enough", async () => {
  const { database, status, exit } = await scene({
    agents: script(LARGE),
    commands: [{ name: "test", run: "! grep -rqs BROKEN src" }],
  });
  expect({ status, exit }).toEqual({ status: "done", exit: 0 });
  const names = "SELECT check_name AS name FROM anvil_checks WHERE task_id = 'greet' AND phase = 'after' ORDER BY name";
  expect(ask(database, names).map(({ name }) => name)).toEqual(["scope", "tamper", "test"]);
});

test("[L-53] a project without any command is refused before the first dispatch, with what to configure", async () => {
  await expect(scene({ commands: [] })).rejects.toMatchObject({
    code: "NO_CHECKS",
    hint: expect.stringContaining(".signalbox/config.yaml"),
  });
});

test("[L-53] if a person accepted that no command is needed, the engine's own checks are enough", async () => {
  const made = await scene({ agents: script(LARGE), commands: [], exempt: "only documents" });
  expect(made).toMatchObject({ status: "done", exit: 0 });
  const names = "SELECT check_name AS name FROM anvil_checks WHERE task_id = 'greet' ORDER BY name";
  expect(ask(made.database, names).map(({ name }) => name)).toEqual(["scope", "tamper"]);
  const bundle = made.git("show", `signalbox/${made.run}:docs/feature/${SLUG}/evidence-bundle.md`);
  expect(bundle).toContain("no command of the project has shown that this tree works");
});

const OLD_TEST = `import assert from "node:assert";
import test from "node:test";
import { old } from "../src/old.js";
test("old is one", () => assert.equal(old, 1));
test("two is two", () => {});
`;

/** Plays an implementer that changes what an old test asserts, or only the test. */
const renderSkippingAgent = (source: string) => `
  - role: planner
    output: { tasks: [{ id: greet, files: [src/old.js, test/old.test.js] }] }
  - role: implementer
    do:
      - write: { path: src/old.js, content: "${source}\\n// by $SIGNALBOX_ROUND\\n" }
      - run: "sed -i 's/^test(.old/test.skip(\\"old/' test/old.test.js"
    output: { status: DONE }`;

const TESTED = {
  files: { ...FILES, "package.json": '{ "type": "module" }\n', "test/old.test.js": OLD_TEST },
  commands: [{ name: "test", run: "node --test" }],
};

test("[A-16] [A-26] a test that was skipped in order to pass is restored by its old form, and put to a person", async () => {
  const made = await scene({ ...TESTED, agents: script(renderSkippingAgent("export const old = 2;")) });
  expect(made).toMatchObject({ status: "waiting", exit: 3 });
  const question = made.records.findLast((each) => each.type === "approval.requested");
  expect(question).toMatchObject({ auto: "never", show: { tests: ["test/old.test.js › old is one"] } });
  expect(() => made.git("rev-parse", "--verify", "-q", `signalbox/${made.run}`)).toThrow();
});

test("[A-16] [A-40] if the old test would still pass and no other test checks the code, the skip is put to a person", async () => {
  const made = await scene({
    ...TESTED,
    agents: script(renderSkippingAgent("export const old = 1;")),
    request: "refactor: say once what is old",
  });
  expect(made).toMatchObject({ status: "waiting", exit: 3 });
  const question = made.records.findLast((each) => each.type === "approval.requested");
  expect(question).toMatchObject({ auto: "never", show: { open: [expect.stringContaining("old is one")] } });
});
