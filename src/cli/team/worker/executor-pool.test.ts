import { expect, test } from "vitest";
import { createExecutorPool } from "./executor-pool.ts";
import type { RunExecutor } from "./run-executor.ts";

function made(run: string, settled: string[]): RunExecutor {
  const executor = { settled: async () => void settled.push(run) };
  // No other member is used.
  return { agents: () => undefined, executor, engine: {} } as unknown as RunExecutor;
}

test("concurrent users share one executor, which is settled after the last one", async () => {
  const asked: string[] = [];
  const settled: string[] = [];
  const players = createExecutorPool(async (run) => {
    asked.push(run);
    return made(run, settled);
  });
  const gate = Promise.withResolvers<void>();
  const first = players.during("a", () => gate.promise);
  await players.during("a", async () => expect(players.present("a")).toBeDefined());
  expect(settled).toEqual([]);
  gate.resolve();
  await first;
  expect([asked, settled, players.present("a")]).toEqual([["a"], ["a"], undefined]);
});

test("a failed creation is retried on the next use", async () => {
  let tried = 0;
  const players = createExecutorPool(async (run) => {
    tried += 1;
    if (tried === 1) throw new Error("the database is away");
    return made(run, []);
  });
  await expect(players.during("a", async () => 1)).rejects.toThrow("away");
  expect(await players.during("a", async () => 2)).toBe(2);
});
