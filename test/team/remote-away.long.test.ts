import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { type Machine, SMALL_CONFIG, SMALL_FILES, type TeamScene, teamScene } from "./scene.ts";

const MINUTES = 60_000;
/** Enough runs that some would reach another worker by chance. */
const RUNS = 4;

let server: TestPostgres;
let scene: TeamScene;
let person: Machine;
beforeAll(async () => {
  server = await startPostgres();
  scene = teamScene({ url: await server.team("away"), files: SMALL_FILES, config: SMALL_CONFIG });
  person = scene.machine("person");
}, 2 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

test("work finished while the remote was unavailable is published by its worker, and no agent is asked again", {
  timeout: 5 * MINUTES,
}, async () => {
  const [starts, away] = [join(scene.dir, "starts"), join(scene.dir, "away.git")];
  const script = join(scene.dir, "agents.yaml");
  writeFileSync(starts, "");
  // The last agent removes the remote, and no agent finishes earlier.
  const gone = `echo started >> ${starts}; while [ $(wc -l < ${starts}) -lt ${RUNS} ]; do sleep 0.1; done; mv ${scene.bare} ${away} 2>/dev/null; true`;
  writeFileSync(
    script,
    `agents:\n  - role: writer\n    do: [{ run: '${gone}' }, { write: { path: a.txt, content: "written\\n" } }]\n    output: { summary: write a file }\n`,
  );
  await scene.machine("worker-1").worker("--concurrency", String(RUNS)).ready;
  const starting = Array.from({ length: RUNS }, () => person.signalbox("run", "small", "x", "--agents", script));
  const ended = await Promise.all(starting);
  expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 4));
  for (const word of ["why", "status"]) {
    const run = /"run":"([a-z0-9-]+)"/.exec(ended[0]?.out ?? "")?.[1] ?? "";
    const { out } = await person.signalbox(word, run);
    expect(out, word).toMatch(/waiting for the git remote since \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(out, word).toContain(`signalbox resume ${run}`);
  }
  renameSync(away, scene.bare);
  await Promise.all(["worker-2", "worker-3"].map((name) => scene.machine(name).worker().ready));
  for (const { out } of ended) {
    const run = /"run":"([a-z0-9-]+)"/.exec(out)?.[1] ?? "";
    const resumed = await person.signalbox("resume", run);
    expect(resumed.code, resumed.out + resumed.err).toBe(0);
  }
  expect(readFileSync(starts, "utf8")).toBe("started\n".repeat(RUNS));
});

test("an end whose worker stopped while the remote rejected the anchor is anchored by the next worker in its clone only", {
  timeout: 5 * MINUTES,
}, async () => {
  const script = join(scene.dir, "writer.yaml");
  const write = '{ write: { path: b.txt, content: "written\\n" } }';
  writeFileSync(script, `agents:\n  - role: writer\n    do: [${write}]\n    output: { summary: write a file }\n`);
  await scene.endWorkers();
  const hook = join(scene.bare, "hooks", "update");
  writeFileSync(hook, '#!/bin/sh\ncase "$1" in */chain) exit 1;; esac\n');
  chmodSync(hook, 0o755);
  const machine = scene.machine("stopped");
  const first = machine.worker();
  await first.ready;
  const done = await person.signalbox("run", "small", "x", "--agents", script);
  expect(done.code, done.out + done.err).toBe(0);
  const run = /"run":"([a-z0-9-]+)"/.exec(done.out)?.[1] ?? "";
  await expect
    .poll(() => first.lines.some((line) => line.includes("cannot anchor the end of")), { timeout: MINUTES })
    .toBe(true);
  await first.end();
  rmSync(hook);
  await scene.machine("elsewhere").worker().ready;
  const refused = await person.signalbox("land", run);
  expect(refused.out).toContain("start one in the same clone with `signalbox worker`");
  expect(refused.out).toMatch(/git fetch origin signalbox\S+ && git log -p HEAD\.\.\w{40} && git merge \w{40}/);
  const second = machine.worker();
  await second.ready;
  await expect
    .poll(() => second.lines.some((line) => line.includes("anchored the end of")), { timeout: MINUTES })
    .toBe(true);
  const landed = await person.signalbox("land", run);
  expect(landed.code, landed.out + landed.err).toBe(0);
});

test("a run canceled while worker and remote are unavailable is anchored when its work is taken", {
  timeout: 5 * MINUTES,
}, async () => {
  await scene.endWorkers();
  const script = join(scene.dir, "writer.yaml");
  const submitted = await person.signalbox("run", "small", "x", "--agents", script, "--detach");
  const run = /"run":"([a-z0-9-]+)"/.exec(submitted.out)?.[1] ?? "";
  const away = join(scene.dir, "away-again.git");
  renameSync(scene.bare, away);
  const canceled = await person.signalbox("cancel", run);
  expect(canceled.code, canceled.out + canceled.err).toBe(0);
  expect(JSON.parse(canceled.out)).toMatchObject({ status: "canceled", anchored: false });
  renameSync(away, scene.bare);
  // There is no work to take, but the end is anchored before the refusal.
  expect((await person.signalbox("land", run)).out).toContain("NOTHING_TO_LAND");
  const verified = await person.signalbox("evidence", run, "--verify", "--check");
  expect(verified.code, verified.out).toBe(0);
});
