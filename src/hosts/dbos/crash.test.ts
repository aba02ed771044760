import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import type { Host } from "../../core/ports/host.ts";
import { heldWorld } from "../suite/held-world.ts";
import { dbosHost } from "./host.ts";

type Worker = {
  readonly child: ChildProcess;
  readonly said: readonly string[];
  /** Resolves when the worker has said it; rejects with all that it printed when it ends before. */
  says(what: string): Promise<void>;
};

let server: TestPostgres;
let databases = 0;
const workers: Worker[] = [];
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

test("a worker that starts after the last one was killed goes on with its runs", async () => {
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
  sleeper.child.stdin?.write("go on\n");
  await sleeper.says("FENCED");
  expect(await endOf(host, run)).toEqual(["intent", "recover by heir"]);
  expect(heir.said).not.toContain("perform");
});

test("five processes that open an empty database at once all come up", async () => {
  const url = await newDatabase();
  const five = Array.from({ length: 5 }, (_, index) => startWorker(url, `worker-${index}`));
  await Promise.all(five.map((worker) => worker.says("serving")));
});

async function newScene() {
  const url = await newDatabase();
  const host = await dbosHost({ url, world: heldWorld() });
  hosts.push(host);
  const run = `run-${randomUUID()}`;
  await host.runs.create({ id: run, pipeline: "ledger", repo: "/repo" });
  return { url, host, run };
}

const newDatabase = () => server.database(`crash_${databases++}`);

/** The values of the run's steps, once it has finished. */
async function endOf(host: Host, run: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const record of host.journal.follow(run, 0, new AbortController().signal)) {
    if (record.type === "step.finished") values.push(record.value);
    if (record.type === "run.finished") break;
  }
  return values;
}

function startWorker(url: string, name: string, ...run: string[]): Worker {
  const program = fileURLToPath(new URL("../../../test/support/dbos-worker.ts", import.meta.url));
  const child = spawn(process.execPath, [program, url, name, ...run], { stdio: "pipe" });
  const said: string[] = [];
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const lines = createInterface(child.stdout).on("line", (line) => said.push(line));
  const worker: Worker = {
    child,
    said,
    says: (what) =>
      new Promise((resolve, reject) => {
        const look = () => said.includes(what) && resolve();
        look();
        lines.on("line", look);
        child.once("exit", () => reject(new Error(`${name} ended before it said ${what}: ${said}\n${errors}`)));
      }),
  };
  workers.push(worker);
  return worker;
}
