import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Handlers, Host } from "../../core/ports/host.ts";
import { createAttempt } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createDbosHost } from "./host.ts";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.fixture.ts";

let server: TestPostgres;
let databases = 0;
const workers: WorkerProcess[] = [];
const hosts: Host[] = [];

beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  for (const { child } of workers.splice(0)) child.kill("SIGKILL");
  for (const host of hosts.splice(0)) await host.close();
});
afterAll(() => server.stop());

test("an effect whose worker is killed is recovered by a live one and never performed again", async () => {
  const { url, host, run } = await newScene();
  const victim = startWorker(url, "victim", run);
  await victim.says("perform");
  const heir = startWorker(url, "heir");
  await heir.says("serving");
  victim.child.kill("SIGKILL");
  expect(await endOf(host, run)).toEqual(["intent", "recover by heir"]);
  expect(victim.said).toEqual(["serving", "drive", "perform"]);
  expect(heir.said.toSorted()).toEqual(["drive", "recover", "serving"]);
});

test("a worker that starts after the last one was killed continues its runs", async () => {
  const { url, host, run } = await newScene();
  const victim = startWorker(url, "victim", run);
  await victim.says("perform");
  victim.child.kill("SIGKILL");
  const heir = startWorker(url, "heir");
  expect(await endOf(host, run)).toEqual(["intent", "recover by heir"]);
  expect(heir.said).not.toContain("perform");
});

test("an owner that was paused past its lease writes nothing after it wakes up", async () => {
  const { url, host, run } = await newScene();
  const sleeper = startWorker(url, "sleeper", run);
  await sleeper.says("perform");
  sleeper.child.kill("SIGSTOP");
  const heir = startWorker(url, "heir");
  expect(await endOf(host, run)).toEqual(["intent", "recover by heir"]);
  sleeper.child.kill("SIGCONT");
  await sleeper.says("FENCED");
  expect(await endOf(host, run)).toEqual(["intent", "recover by heir"]);
  expect(heir.said).not.toContain("perform");
});

test("a worker that was paused past its lease stops its agent when it wakes up, and serves again under a new id", async () => {
  const { url, host, run } = await newScene();
  const sleeper = startWorker(url, "sleeper", run);
  await sleeper.says("perform");
  const [before] = await host.team.workers();
  sleeper.child.kill("SIGSTOP");
  const heir = startWorker(url, "heir");
  await endOf(host, run);
  heir.child.kill("SIGKILL");
  sleeper.child.kill("SIGCONT");
  await sleeper.says("stopped");
  const next = await newRun(host);
  await host.team.submit(next, []);
  await sleeper.says("drive", 2);
  const names = (await host.team.workers()).map(({ id }) => id);
  expect(names).not.toEqual([]);
  expect(names).not.toContain(before?.id);
});

test("work that a worker could not report is recovered by that worker, however many others there are", async () => {
  const { url, host } = await newScene();
  const never = new AbortController().signal;
  const refuse = () => Promise.reject(new SignalboxError("REMOTE_UNREACHABLE", "no route", "wait"));
  const adopt = async () => "recover here";
  await host.serve({
    drive: async () => ({ status: "done", exit: 0 }),
    perform: refuse,
    recover: adopt as unknown as Handlers["recover"], // the result is only passed on, so a word stands for it
  });
  const attempts = await Promise.all(Array.from({ length: 8 }, async () => createAttempt(await newRun(host))));
  for (const effect of attempts)
    await expect(host.effects.start(effect, never)).rejects.toMatchObject({ code: "REMOTE_UNREACHABLE" });
  const others = ["heir-1", "heir-2"].map((name) => startWorker(url, name));
  await Promise.all(others.map((other) => other.says("serving")));
  const recovered = await Promise.all(attempts.map((effect) => host.effects.resume(effect, never)));
  expect(recovered).toEqual(attempts.map(() => "recover here"));
  expect(others.flatMap(({ said }) => said)).toEqual(["serving", "serving"]);
});

test("five processes that open an empty database at once all start", async () => {
  const url = await newDatabase();
  const five = Array.from({ length: 5 }, (_, index) => startWorker(url, `worker-${index}`));
  await Promise.all(five.map((worker) => worker.says("serving")));
});

async function newScene() {
  const url = await newDatabase();
  const host = await createDbosHost({ url, world: createHeldWorld() });
  hosts.push(host);
  return { url, host, run: await newRun(host) };
}

async function newRun(host: Host): Promise<string> {
  const run = `run-${randomUUID()}`;
  await host.runs.create({ id: run, pipeline: "ledger", repo: "/repo" });
  return run;
}

const newDatabase = () => server.team(`crash_${databases++}`);

/** Returns the values of the run's steps once it has finished. */
async function endOf(host: Host, run: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const record of host.journal.follow(run, 0, new AbortController().signal)) {
    if (record.type === "step.finished") values.push(record.value);
    if (record.type === "run.finished") break;
  }
  return values;
}

function startWorker(url: string, name: string, ...run: string[]): WorkerProcess {
  const worker = startWorkerProcess("dbos-worker.ts", [url, name, ...run]);
  workers.push(worker);
  return worker;
}
