import { afterAll, beforeAll, expect, test } from "vitest";
import { often } from "../../../test/often.ts";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import type { Handlers } from "../../core/ports/host.ts";
import { createAttempt, createStep, listNumbers, listSeqs, stampRecords } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createDbosHost } from "./host.ts";

const RESTARTS = often(2, 10);
const STEPS = 400;
const never = new AbortController().signal;

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ durable: true });
});
afterAll(() => server.stop());

test("repeated connection losses during a run lose no record, and nothing is stored twice", async () => {
  const url = await server.team("restarted");
  const host = await createDbosHost({ url, world: createHeldWorld(), leaseMs: 2_000 });
  try {
    const performed: string[] = [];
    await host.serve({ drive, perform: answer("perform"), recover: answer("recover") });
    await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    const driven = host.drive("run-1");
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const before = performed.length;
      await expect.poll(() => performed.length, { timeout: 300_000 }).toBeGreaterThan(before);
      await server.restart();
    }
    expect(await driven).toEqual({ status: "done", exit: 0 });
    expect(listSeqs(await host.journal.load("run-1"))).toEqual(listNumbers(STEPS));
    expect(new Set(performed).size).toBe(performed.length);
    expect(await host.team.tasks()).toEqual([]);

    async function drive(run: string) {
      const claimed = await host.runs.claim(run, "engine-a");
      if (!claimed.won) throw new Error(`${claimed.owner} has ${run}`);
      for (let n = 1; n <= STEPS; n += 1) {
        if (n % 40 === 0) await host.effects.start(createAttempt(run, `build-${n}@1`), never);
        await host.journal.append(claimed.lease, stampRecords(run, n, [createStep(n)]));
      }
      await host.runs.release(claimed.lease);
      return { status: "done", exit: 0 };
    }

    function answer(verb: string): Handlers["perform"] {
      const say = async ({ id }: { id: string }) => {
        performed.push(id);
        return verb;
      };
      return say as unknown as Handlers["perform"]; // the result is only passed on, so a word stands for it
    }
  } finally {
    await host.close();
  }
});

test("a worker logs an outage once when it starts and once when it ends, with its length", async () => {
  const url = await server.team("away");
  const told: string[] = [];
  const host = await createDbosHost({
    url,
    world: createHeldWorld(),
    leaseMs: 1_000,
    wakes: true,
    log: (line) => told.push(line),
  });
  const said = (what: RegExp) => expect.poll(() => told.filter((line) => what.test(line)).length, { timeout: 300_000 });
  const answer: Handlers["perform"] = () => Promise.reject(new Error("nothing is wanted here"));
  try {
    await host.serve({ drive: async () => ({ status: "done", exit: 0 }), perform: answer, recover: answer });
    await server.restart(() => said(/lost connection/).toBe(1));
    await said(/is available again after \d+ s/).toBe(1);
    await host.runs.create({ id: "run-2", pipeline: "ledger", repo: "/repo" });
    expect(await host.drive("run-2")).toEqual({ status: "done", exit: 0 });
    const about = told.filter((line) => !/declared dead/.test(line));
    expect(about).toEqual([
      "lost connection to Postgres; waiting for it",
      expect.stringMatching(/^Postgres is available again after \d+ s$/),
    ]);
  } finally {
    await host.close();
  }
});
