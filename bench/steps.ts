import { setTimeout as after } from "node:timers/promises";
import { z } from "zod";
import { createRealWorld } from "../src/cli/real-world.ts";
import { definePipeline, type Pipeline } from "../src/core/authoring/pipeline.ts";
import type { Host } from "../src/core/ports/host.ts";
import { createEngine, type Engine } from "../src/engine/engine.ts";

/** Data of one step: about 200 bytes, like the result of a real effect. */
export const PAYLOAD = { tree: "0".repeat(40), note: "x".repeat(150) };

type StepsInput = { readonly steps: number; readonly park: boolean };

const counted = definePipeline<StepsInput>(
  {
    name: "steps",
    about: "as many durable steps as asked for",
    version: 1,
    input: z.object({ steps: z.number(), park: z.boolean() }),
    dialect: "json",
    phases: [{ title: "1 Steps" }],
    cap: 4,
  },
  async ({ input, phase, see, ask }) => {
    phase("1 Steps");
    for (let n = 0; n < input.steps; n += 1) await see("head");
    if (input.park) await ask({ title: "Go on?", show: input.steps, choices: ["yes"], auto: "never" });
    return { status: "done" };
  },
);

export type StepLoad = {
  readonly host: Host;
  readonly engine: Engine;
  readonly runs: number;
  readonly steps: number;
};

/** Measures steps per second of `runs` parallel runs, with every step durable before its effect starts. */
export async function stepsPerSecond({ host, engine, ...at }: StepLoad): Promise<number> {
  const runs = await Promise.all(Array.from({ length: at.runs }, () => startSteps(engine, at.steps)));
  const from = performance.now();
  const ends = await Promise.all(runs.map((run) => host.drive(run)));
  const rate = (at.runs * at.steps * 1_000) / (performance.now() - from);
  const bad = ends.find((end) => end.status !== "done");
  if (bad) throw new Error(`a run of the benchmark is ${bad.status}`);
  return rate;
}

/** Starts an engine. Each step takes `takes` milliseconds besides storing it, in which nothing is computed. */
export async function engineOn(host: Host, takes = 0): Promise<Engine> {
  const engine = submitterOn(host, takes);
  await host.serve(engine.handlers);
  return engine;
}

/** Creates an engine that starts runs and does not drive them. */
export function submitterOn(host: Host, takes = 0): Engine {
  const world = createRealWorld();
  // The check does nothing: only storing is measured.
  const perform = async () => {
    if (takes > 0) await after(takes);
    return PAYLOAD as never;
  };
  return createEngine({
    host,
    world,
    // Runs start with the input that the schema requires.
    pipelines: () => counted as unknown as Pipeline,
    performer: { perform, recover: perform },
    owner: `bench-${world.newId()}`,
    waits: false,
    patient: false,
  });
}

export function startSteps(engine: Engine, steps: number, more: { park?: boolean; repo?: string } = {}) {
  return engine.start({
    pipeline: "steps",
    input: { steps, park: more.park ?? false },
    repo: more.repo ?? "bench",
    base: { commit: "c", tree: "t" },
    approvals: "autonomous",
    commands: [],
    exempt: "only steps are measured",
    limits: {},
    minConfidence: "low",
  });
}
