import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Symptom } from "../../src/cli/doctor/symptom.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { BIN } from "../support/program.ts";
import { world } from "../worlds/task.ts";
import { type CommandEnd, type Machine, type TeamScene, teamScene } from "./scene.ts";

const MINUTES = 60_000;
const PASSWORD = "wide-open-sesame";

let server: TestPostgres;
let url: string;
let scene: TeamScene;
let machine: Machine;
let addresses: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("failures");
  scene = teamScene({ url, files: world.files, config: world.config });
  machine = scene.machine("person");
  writeFileSync(join(scene.dir, "agents.yaml"), "agents: []\n");
  const newer = await server.team("newer");
  await executeSql(newer, "INSERT INTO signalbox.migrations (version, at) VALUES (99, now())");
  await executeSql(url, `CREATE ROLE stranger LOGIN PASSWORD '${PASSWORD}'`);
  const free = new URL(url);
  free.port = "1";
  addresses = {
    down: withUser(free.href, "ada"),
    "no address": "postgres://ada:wide-open-sesame@",
    "wrong password": withUser(url, "postgres"),
    "no rights": withUser(url, "stranger"),
    "no tables": await server.database("empty"),
    newer,
  };
}, 3 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

describe("an unusable team database", () => {
  test.each([
    ["down", "DATABASE_UNREACHABLE", "SIGNALBOX_POSTGRES"],
    ["no address", "CONFIG_INVALID", "postgres"],
    ["wrong password", "DATABASE_UNREACHABLE", "password"],
    ["no rights", "DATABASE_DENIED", `GRANT signalbox_member TO \\"stranger\\";`],
    ["no tables", "SCHEMA_OLD", "`signalbox migrate --postgres postgres://postgres@127.0.0.1:"],
    ["newer", "SCHEMA_NEWER", "newer"],
  ])("%s: ps, sql, run and worker report %s, and no password", { timeout: 2 * MINUTES }, async (which, code, word) => {
    const address = addresses[which] ?? "";
    const calls = [
      ["ps"],
      ["sql", "SELECT 1"],
      ["run", "task", "x", "--agents", join(scene.dir, "agents.yaml")],
      ["worker"],
    ];
    for (const words of calls) {
      const ended = await machine.signalbox("--postgres", address, ...words);
      expect(parseRefusal(ended), words.join(" ")).toMatchObject({ code });
      expect(ended.code).toBe(code === "CONFIG_INVALID" ? 2 : 4);
      expect(JSON.stringify(parseRefusal(ended)).toLowerCase()).toContain(word.toLowerCase());
      expect(ended.out + ended.err).not.toContain(PASSWORD);
    }
  });
});

test("with a missing permission is reported by every command with the statement that grants it", {
  timeout: 2 * MINUTES,
}, async () => {
  const address = addresses["no rights"] ?? "";
  const member = 'GRANT signalbox_member TO "stranger";';
  const database = new URL(address).pathname.slice(1);
  const calls: readonly (readonly [string, ...string[]])[] = [
    [member, "ps"],
    [member, "approve", "x", "--choose", "y"],
    [member, "inbox"],
    [member, "run", "task", "x", "--agents", join(scene.dir, "agents.yaml")],
    ['GRANT signalbox_worker TO "stranger";', "worker"],
    [`GRANT CREATE ON DATABASE "${database}" TO "stranger";`, "migrate"],
  ];
  for (const [line, ...words] of calls) {
    const { code, hint } = parseRefusal(await machine.signalbox("--postgres", address, ...words));
    expect({ words, code, hint }).toEqual({ words, code: "DATABASE_DENIED", hint: expect.stringContaining(line) });
  }
});

describe("doctor and a dry run in a team", () => {
  const listSymptoms = async (...words: string[]): Promise<readonly Symptom[]> =>
    JSON.parse((await machine.signalbox("doctor", ...words)).out).checks;
  const dryRun = (...words: string[]) => machine.signalbox("run", "task", "x", "--dry-run", ...words);

  test.each([
    ["down", /could not connect to Postgres/i, /check that the server is running/i],
    ["wrong password", /password/, /user and password/],
    ["no rights", /lacks a permission/, /GRANT signalbox_member TO "stranger";/],
    ["no tables", /no Signalbox tables yet/, /signalbox migrate --postgres postgres:\/\/postgres@127/],
    ["newer", /schema version 99, which is newer/, /Install the Signalbox version/],
  ])("%s: both report it with the fix, and no password", { timeout: 2 * MINUTES }, async (which, says, get) => {
    const address = addresses[which] ?? "";
    const told = {
      what: "postgres",
      state: "missing",
      says: expect.stringMatching(says),
      get: expect.stringMatching(get),
    };
    const ended = await machine.signalbox("--postgres", address, "doctor");
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.out).checks).toContainEqual(told);
    const planned = await machine.signalbox("--postgres", address, "run", "task", "x", "--dry-run");
    expect(planned.code, planned.out + planned.err).toBe(0);
    expect(JSON.parse(planned.out).lacks).toContainEqual(told);
    expect(ended.out + ended.err + planned.out + planned.err).not.toContain(PASSWORD);
  });

  test("without a worker they report that none is available, and nothing is submitted", {
    timeout: MINUTES,
  }, async () => {
    const nobody = { what: "workers", state: "missing", says: expect.stringMatching(/^no worker for this repository/) };
    const seen = await listSymptoms();
    expect(seen).toContainEqual(expect.objectContaining(nobody));
    expect(seen).toContainEqual({
      what: "database",
      state: "fine",
      says: "none here: runs are stored in the team's Postgres",
    });
    const planned = await dryRun("--agent", "*=codex");
    expect(planned.code).toBe(0);
    expect(JSON.parse(planned.out).lacks).toContainEqual(expect.objectContaining(nobody));
    expect(JSON.parse((await machine.signalbox("ps")).out).runs).toEqual([]);
  });

  test("with a worker they list role, remote, the worker's offers, and what no worker offers", {
    timeout: 2 * MINUTES,
  }, async () => {
    const worker = scene.machine("offering").worker("--labels", "linux", "--concurrency", "3");
    await worker.ready;
    const config = join(machine.repo, ".signalbox/config.local.yaml");
    writeFileSync(config, "team: { labels: [gpu], approvers: [grace] }\n");
    const seen = await listSymptoms();
    const expectFine = (what: string, says: RegExp) =>
      expect(seen).toContainEqual({ what, state: "fine", says: expect.stringMatching(says) });
    expectFine("postgres", /^postgres:\/\/postgres@127.* for .*shared\.git, schema up to date$/);
    expectFine("remote", /shared\.git is readable and writable$/);
    expectFine("workers", /: agents .*scripted; sandbox .*; \d+ GB; 3 at once; linux; version .*; same pipelines$/);
    const note = {
      what: "role",
      state: "note",
      says: expect.stringMatching(/^connected as postgres; .* only grace may/),
    };
    expect(seen).toContainEqual(note);
    const short = expect.stringMatching(
      /^task.*: the run needs gpu, which no worker offers; workers: .* \(without gpu\)$/,
    );
    const cure = expect.stringMatching(/^signalbox worker --labels gpu, in a clone/);
    expect(seen).toContainEqual({ what: "workers", state: "missing", says: short, get: cure });
    expect((await machine.signalbox("doctor")).code).toBe(4);
    const { lacks } = JSON.parse((await dryRun("--agent", "*=codex")).out);
    const said = lacks.flatMap(({ what, says }: Symptom) => (what === "workers" ? [says] : []));
    expect(said).toEqual([
      expect.stringMatching(/^the run needs gpu/),
      expect.stringMatching(/^developer, reviewer: an agent of the run needs agent:codex, which no worker offers/),
    ]);
    rmSync(config);
    await worker.end();
  });

  test("with an unavailable remote both use the same message, beside all other findings", {
    timeout: MINUTES,
  }, async () => {
    machine.git("remote", "set-url", "origin", join(scene.dir, "gone.git"));
    const seen = await listSymptoms();
    const planned = await dryRun("--agent", "*=codex");
    machine.git("remote", "set-url", "origin", scene.bare);
    const remote = seen.find(({ what }) => what === "remote");
    expect(remote).toMatchObject({ state: "missing" });
    expect(planned.code).toBe(0);
    expect(JSON.parse(planned.out).lacks).toContainEqual(remote);
    expect(seen).toContainEqual(expect.objectContaining({ what: "postgres", state: "fine" }));
  });
});

describe("a team run that cannot continue", () => {
  const submit = (...words: string[]) => machine.signalbox("run", "task", "x", "--agent", "*=codex", ...words);

  test("without a worker reports it within seconds, exits with 4, and is kept", { timeout: MINUTES }, async () => {
    const ended = await submit();
    expect(ended.code).toBe(4);
    expect(parseRefusal(ended)).toMatchObject({ code: "NOT_OFFERED", message: expect.stringContaining("no worker") });
    const { runs } = JSON.parse((await machine.signalbox("ps")).out);
    expect(runs[0]).toMatchObject({ status: "queued", reason: expect.stringContaining("no worker") });
    expect(JSON.parse((await machine.signalbox("why")).out).standing.because).toContain("no worker");
    expect(parseRefusal(await machine.signalbox("pause"))).toMatchObject({
      code: "RUN_AT_REST",
      message: expect.stringMatching(/^No worker has taken run .* yet: no worker for this repository is running/),
      hint: expect.stringMatching(/^It continues when a worker takes it/),
    });
    expect((await machine.signalbox("cancel")).code).toBe(0);
  });

  test("without a worker for its label or agent names what is missing and who is available", {
    timeout: 2 * MINUTES,
  }, async () => {
    const worker = scene.machine("bare").worker();
    await worker.ready;
    const config = join(machine.repo, ".signalbox/config.local.yaml");
    writeFileSync(config, "team: { labels: [gpu] }\n");
    const label = await submit();
    expect(label.code).toBe(4);
    expect(parseRefusal(label)).toMatchObject({
      code: "NOT_OFFERED",
      message: expect.stringMatching(/gpu.*without gpu/),
      hint: expect.stringContaining("`signalbox worker --labels gpu`"),
    });
    rmSync(config);
    const agent = await submit();
    expect(agent.code).toBe(4);
    expect(parseRefusal(agent)).toMatchObject({ code: "NOT_OFFERED", message: expect.stringContaining("agent:codex") });
    await worker.end();
  });

  test("without a remote, or with an unavailable one, is refused with the fix", { timeout: MINUTES }, async () => {
    machine.git("remote", "rename", "origin", "elsewhere");
    expect(parseRefusal(await submit())).toMatchObject({ code: "REMOTE_MISSING" });
    machine.git("remote", "add", "origin", join(scene.dir, "gone.git"));
    const gone = await submit();
    expect(gone.code).toBe(4);
    expect(parseRefusal(gone).code).toMatch(/^REMOTE_/);
    machine.git("remote", "remove", "origin");
    machine.git("remote", "rename", "elsewhere", "origin");
  });

  test("with a password in the committed configuration is refused, and the password is not printed", {
    timeout: MINUTES,
  }, async () => {
    const config = join(machine.repo, ".signalbox/config.yaml");
    writeFileSync(config, `${world.config}postgres: ${withUser(url, "ada")}\n`);
    const ended = await machine.signalbox("ps");
    machine.git("checkout", "-q", "--", ".signalbox/config.yaml");
    expect(ended.code).toBe(2);
    expect(parseRefusal(ended)).toMatchObject({
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("config.local.yaml"),
    });
    expect(ended.out + ended.err).not.toContain(PASSWORD);
  });
});

describe("a configuration that no team member has trusted", () => {
  test("is not run by a worker until a member trusts it with init", { timeout: 2 * MINUTES }, async () => {
    const careful = scene.machine("careful");
    writeFileSync(join(careful.repo, ".signalbox/config.yaml"), `${world.config}# other content\n`);
    const call = (...words: string[]) => runUntrusted(careful, words);
    expect(parseRefusal(call("worker"))).toMatchObject({ code: "UNTRUSTED" });
    expect(call("init", "--yes", "--no-check").code).toBe(0);
    const worker = scene.machine("willing");
    writeFileSync(join(worker.repo, ".signalbox/config.yaml"), `${world.config}# other content\n`);
    await worker.worker().ready;
  });
});

function parseRefusal({ out }: CommandEnd): { readonly code: string; readonly message: string; readonly hint: string } {
  const lines = out.trim().split("\n");
  const told = lines.map((line) => JSON.parse(line)).find(({ type }) => type === "error");
  if (!told) throw new Error(`nothing was refused:\n${out}`);
  return told;
}

/** Runs a command without trust for this call. */
function runUntrusted({ repo, env }: Machine, words: readonly string[]): CommandEnd {
  const argv = [BIN, "-C", repo, "--json", ...words];
  const ended = spawnSync(process.execPath, argv, { env: { ...env, SIGNALBOX_TRUST: "" }, encoding: "utf8" });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

function withUser(address: string, user: string): string {
  const changed = new URL(address);
  changed.username = user;
  changed.password = PASSWORD;
  return changed.href;
}

async function executeSql(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
