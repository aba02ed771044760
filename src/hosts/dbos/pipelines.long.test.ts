import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Scenario } from "../../../test/support/answers/scenario.ts";
import { scenarios } from "../../../test/support/answers.ts";
import { pipe } from "../../../test/support/pipe.ts";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { quickWorld, type Stage, stage } from "../../../test/support/stage.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { Host } from "../../core/ports/host.ts";
import { createMemoryHost } from "../memory/host.ts";
import { createDbosHost } from "./host.ts";

const TURNS = 40;
const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });
let server: TestPostgres;
let url = "";
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("pipelines");
});
afterAll(() => server.stop());

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  "the same pipeline behaves the same on Postgres as in memory: %s",
  async (_name, scenario) => {
    const postgres = await createDbosHost({ url, world: quickWorld() });
    try {
      const there = await told(postgres, scenario);
      const here = await told(createMemoryHost({ world: quickWorld() }), scenario);
      expect(there).toEqual(here);
      expect(there.length).toBeGreaterThan(0);
    } finally {
      await postgres.close();
    }
  },
);

test("a run that waits for an attempt that no worker can perform can be paused, resumed and canceled", async () => {
  const host = await createDbosHost({ url, world: quickWorld() });
  try {
    const unoffered: Host = {
      ...host,
      serve: (handlers) => host.serve({ ...handlers, needs: () => ["agent:nobody"] }),
    };
    const pipeline = pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    });
    const s = await stage({ host: unoffered, pipeline });
    const wanted = async () => (await host.team.tasks(s.run)).filter(({ kind }) => kind === "effect").length;
    const ended = async (kind: "pause" | "cancel") => {
      const driven = s.drive();
      await expect.poll(wanted).toBe(1);
      await s.post({ kind, by: "ada" });
      return driven;
    };
    expect(await ended("pause")).toMatchObject({ status: "paused" });
    expect(await wanted()).toBe(0);
    await s.post({ kind: "resume", by: "ada" });
    expect(await ended("cancel")).toMatchObject({ status: "canceled" });
    expect(await wanted()).toBe(0);
    const attempts = (await s.records()).flatMap((record) => (record.type === "agent.started" ? [record.attempt] : []));
    expect(attempts).toEqual([1, 2]);
  } finally {
    await host.close();
  }
});

/** Summarizes the journal without the order between branches: steps, verdicts, decisions and the end. */
async function told(
  host: Host,
  { pipeline, perform, input, approvals, commands, answer }: Scenario,
): Promise<string[]> {
  const s = await stage({ host, pipeline, perform, order: { input, approvals, commands: [...commands] } });
  for (let turn = 0; turn < TURNS; turn += 1) {
    const end = await s.drive();
    if (end.status !== "waiting" && end.status !== "paused") return telling(s);
    await reply(s, answer);
  }
  throw new Error(`${pipeline.name} did not end`);
}

async function reply(s: Stage, answer: Scenario["answer"]): Promise<void> {
  const records = await s.records();
  const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
  for (const asked of records) {
    if (asked.type !== "approval.requested" || decided.has(asked.approval)) continue;
    const { approval, hash } = asked;
    if (asked.pause) await s.post({ kind: "resume", by: "person" });
    else await s.post({ kind: "answer", approval, hash, choice: answer(asked), by: "person" });
  }
}

async function telling(s: Stage): Promise<string[]> {
  const facts = (await s.records()).flatMap((record) => {
    if (record.type === "step.started") return [`${record.verb} ${record.key}`];
    if (record.type === "gate.evaluated")
      return [`${record.key} ${record.rule} ${JSON.stringify(record.actual)} ${record.passed}`];
    if (record.type === "evidence.recorded") return [`${record.key} ${record.check} ${record.phase} ${record.passed}`];
    if (record.type === "approval.decided") return [`${record.key} ${record.choice}`];
    if (record.type === "run.finished") return [`${record.status} ${record.exit} ${record.confidence}`];
    return [];
  });
  return facts.sort();
}
