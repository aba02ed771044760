import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { openTeam } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import {
  type CommandEnd,
  type Machine,
  SMALL_AGENTS,
  SMALL_CONFIG,
  SMALL_FILES,
  type TeamScene,
  teamScene,
  type WorkerProcess,
} from "./scene.ts";

const MINUTES = 60_000;

let server: TestPostgres;
let url: string;
let scene: TeamScene;
let starter: Machine;
let other: Machine;
let worker: WorkerProcess;
let script: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("deciding");
  const config = `${SMALL_CONFIG}team: { approvers: [postgres] }\n`;
  scene = teamScene({ url, files: SMALL_FILES, config });
  script = join(scene.dir, "agents.yaml");
  writeFileSync(script, SMALL_AGENTS);
  [starter, other] = [scene.machine("starter"), scene.machine("other")];
  worker = scene.machine("worker").worker();
  await worker.ready;
}, 3 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

const start = (finish: string): Promise<CommandEnd> =>
  starter.signalbox("run", "small", "make it", "--input", `finish=${finish}`, "--agents", script);

test("approvers alone can answer a question from another clone, and the run then continues", {
  timeout: 3 * MINUTES,
}, async () => {
  expect((await start("ask")).code).toBe(3);
  const { approvals } = JSON.parse((await other.signalbox("inbox")).out);
  const [{ approval, run, hash }] = approvals;
  const eves = await getEveAddress();
  const refused = await other.signalbox("approve", approval, "--choose", "keep", "--postgres", eves);
  expect(refused.code).toBe(4);
  expect(refused.out).toContain("NOT_APPROVER");
  const host = await openTeam({ url: eves, world: createRealWorld() });
  try {
    const after = (await host.journal.load(run)).at(-1)?.seq ?? 0;
    await host.inbox.post(run, {
      kind: "answer",
      approval,
      hash: hash ?? (await readHash(host, run)),
      choice: "keep",
      by: "postgres",
    });
    const over = new AbortController();
    for await (const record of host.journal.follow(run, after, over.signal)) {
      expect(record.type).not.toBe("approval.decided");
      if (record.type === "run.suspended") break;
    }
    over.abort();
    expect(worker.lines.join("\n")).toContain(`the answer to ${approval} by eve`);
  } finally {
    await host.close();
  }
  const answered = await other.signalbox("approve", approval, "--choose", "keep");
  expect(answered.code, answered.out).toBe(0);
  const followed = await other.signalbox("events", run, "--follow");
  expect(followed.out).toContain('"status":"done"');
  expect(followed.out).toContain(`"of":"answer to ${approval}","by":"eve","role":"eve"`);
  const decided = followed.out.split("\n").find((line) => line.includes('"approval.decided"'));
  expect(JSON.parse(decided ?? "{}")).toMatchObject({ choice: "keep", by: "postgres", role: "postgres" });
});

/** A member of the team without the approver role, whatever name she claims. */
let eves: Promise<string> | undefined;
const getEveAddress = (): Promise<string> => {
  eves ??= addEve();
  return eves;
};

async function addEve(): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE ROLE eve LOGIN PASSWORD 'eve' IN ROLE signalbox_member");
  await client.end();
  return Object.assign(new URL(url), { username: "eve", password: "eve" }).href;
}

async function readHash(host: Awaited<ReturnType<typeof openTeam>>, run: string): Promise<string> {
  const asked = (await host.journal.load(run)).find((record) => record.type === "approval.requested");
  return asked?.hash ?? "";
}

test("resume from another clone continues a paused run and follows it to its end", {
  timeout: 2 * MINUTES,
}, async () => {
  expect((await start("pause")).code).toBe(3);
  const resumed = await other.signalbox("resume");
  expect(resumed.code, resumed.out + resumed.err).toBe(0);
  expect(resumed.out).toContain("run.finished");
});

test("commands that read a run work from a clone that took no part in it", { timeout: 4 * MINUTES }, async () => {
  const calls = ["ps", "status", "why", "events", "logs", "evidence", "diff", "report"].map((word) => [word]);
  for (const words of [...calls, ["gate", "wrote"], ["sql", "SELECT count(*) AS n FROM pipeline_telemetry"]]) {
    const ended = await other.signalbox(...words);
    expect(ended.code, `${words.join(" ")}: ${ended.out}${ended.err}`).toBe(0);
  }
  const landed = await other.signalbox("land");
  expect(landed.code, landed.out + landed.err).toBe(0);
  expect(JSON.parse(landed.out)).toMatchObject({ status: "landed", push: "git push origin main" });
  expect(readFileSync(join(other.repo, "a.txt"), "utf8")).toBe("written\n");
});

test("an answer without the right to give one does not stop an approver's answer, whatever name it claims", {
  timeout: 3 * MINUTES,
}, async () => {
  expect((await start("ask")).code).toBe(3);
  await scene.endWorkers();
  const { approvals } = JSON.parse((await other.signalbox("inbox")).out);
  const { approval, run, hash } = approvals.at(-1);
  const eve = new Client({ connectionString: await getEveAddress(), options: "-c search_path=signalbox" });
  await eve.connect();
  const letter = JSON.stringify({ kind: "answer", approval, hash, choice: "drop", by: "postgres" });
  await eve.query("INSERT INTO inbox (run, at, letter) VALUES ($1, 9223372036854775807, $2)", [run, letter]);
  await eve.end();
  const asked = JSON.parse((await other.signalbox("inbox")).out).approvals;
  expect(asked).toContainEqual(expect.objectContaining({ approval, answered: false }));
  const answered = await other.signalbox("approve", approval, "--choose", "keep");
  expect(answered.code, answered.out).toBe(0);
  await scene.machine("another").worker().ready;
  const followed = await other.signalbox("events", run, "--follow");
  expect(followed.out).toContain('"choice":"keep"');
  expect(followed.out).not.toContain('"choice":"drop"');
});
