import { closeSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { definePipeline, type Pipeline } from "../src/core/pipeline.ts";
import type { Host } from "../src/core/ports/host.ts";
import type { World } from "../src/core/ports/world.ts";
import { createEngine } from "../src/engine/engine.ts";
import { sqliteHost } from "../src/hosts/sqlite/host.ts";

/** A step's worth of data: what an effect of a real run returns, about 200 bytes. */
export const PAYLOAD = { tree: "0".repeat(40), note: "x".repeat(150) };

const counted = definePipeline<{ steps: number }>(
  {
    name: "steps",
    about: "as many durable steps as asked for",
    version: 1,
    input: z.object({ steps: z.number() }),
    dialect: "json",
    phases: [{ title: "1 Steps" }],
    cap: 4,
  },
  async ({ input, phase, see }) => {
    phase("1 Steps");
    for (let n = 0; n < input.steps; n += 1) await see("head");
    return { status: "done" };
  },
);

/** Appends of 200 bytes, each on the disk before the next: what the disk can do at all. */
export function rawSyncs(dir: string, count: number): number {
  const file = join(dir, "raw");
  const fd = openSync(file, "w");
  const line = Buffer.alloc(200, "x");
  const from = performance.now();
  for (let n = 0; n < count; n += 1) {
    writeSync(fd, line);
    fdatasyncSync(fd);
  }
  const rate = (count * 1_000) / (performance.now() - from);
  closeSync(fd);
  rmSync(file);
  return rate;
}

/** Steps per second of `runs` runs at once, embedded host, every step durable before the next begins. */
export async function embeddedSteps(dir: string, world: World, at: { runs: number; steps: number }): Promise<number> {
  const folder = join(dir, `steps-${at.runs}`);
  mkdirSync(folder);
  const host = sqliteHost({ file: join(folder, "signalbox.db"), world });
  const engine = await engineOn(host, world);
  const runs = await Promise.all(Array.from({ length: at.runs }, () => startRun(engine, at.steps)));
  const from = performance.now();
  const ends = await Promise.all(runs.map((run) => host.drive(run)));
  const rate = (at.runs * at.steps * 1_000) / (performance.now() - from);
  if (ends.some((end) => end.status !== "done")) throw new Error("a run of the benchmark did not end well");
  await host.close();
  return rate;
}

/** Milliseconds until a run with that many recorded steps has been replayed to its next step. */
export async function resumeMs(dir: string, world: World, steps: number): Promise<number> {
  const file = join(dir, "resume.db");
  let host = sqliteHost({ file, world });
  const engine = await engineOn(host, world, parkedPipeline);
  const run = await startRun(engine, steps);
  await host.drive(run);
  await host.close();
  host = sqliteHost({ file, world });
  await engineOn(host, world, parkedPipeline);
  const from = performance.now();
  const { status } = await host.drive(run);
  const ms = performance.now() - from;
  if (status !== "waiting") throw new Error(`the run of the benchmark is ${status}`);
  await host.close();
  return ms;
}

const parkedPipeline = definePipeline<{ steps: number }>(
  { ...counted, name: "steps" },
  async ({ input, phase, see, ask }) => {
    phase("1 Steps");
    for (let n = 0; n < input.steps; n += 1) await see("head");
    await ask({ title: "Go on?", show: input.steps, choices: ["yes"], auto: "never" });
    return { status: "done" };
  },
);

async function engineOn(host: Host, world: World, pipeline: Pipeline<{ steps: number }> = counted) {
  const perform = async () => PAYLOAD as never;
  const engine = createEngine({
    host,
    world,
    pipelines: () => pipeline as unknown as Pipeline,
    performer: { perform, recover: perform },
    owner: `bench-${world.newId()}`,
    waits: false,
    patient: false,
  });
  await host.serve(engine.handlers);
  return engine;
}

function startRun(engine: Awaited<ReturnType<typeof engineOn>>, steps: number): Promise<string> {
  return engine.start({
    pipeline: "steps",
    input: { steps },
    repo: "/bench",
    base: { commit: "c", tree: "t" },
    approvals: "autonomous",
    commands: [],
    limits: {},
    minConfidence: "low",
  });
}
