import { createInterface } from "node:readline";
import { z } from "zod";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { defineRole } from "../../src/core/authoring/role.ts";
import type { Effect } from "../../src/core/journal/effect.ts";
import { createCommandDriver } from "../../src/drivers/command/command-driver.ts";
import { createExecutor, type Executor } from "../../src/engine/execute/executor.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import { pipeWith } from "../support/pipe.ts";

const NONCE = "n0nce";
/**
 * Many files next to the one that counts: the snapshot and the removal of the folder last long enough to be
 * interrupted.
 */
const DEEDS = "mkdir beside && (cd beside && seq 300 | xargs touch) && echo done > part.txt";
const ANSWER = JSON.stringify({ nonce: NONCE, contract: { did: "the part" } });

const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ did: z.string() }), writes: true });
const pipeline = pipeWith([writer], { name: "paused" });

export type Places = { readonly repo: string; readonly cache: string; readonly runs: string };

export async function performerIn({ repo, cache, runs }: Places): Promise<Executor> {
  const world = createRealWorld({});
  const driver = createCommandDriver({
    name: "shell",
    argv: ["/bin/sh", "-c", `${DEEDS} && printf '%s\n' '${ANSWER}'`],
  });
  return createExecutor({
    workspace: await gitWorkspace({ repo, cache }),
    processes: createSupervisor({ world, graceMs: 100 }),
    definitions: { define: async () => ({ prompt: "Play your part.", driver, from: "the test" }) },
    world,
    pipelines: (name) => (name === pipeline.name ? pipeline : undefined),
    cache,
    runs,
  });
}

export function attemptOf(run: string, tree: string, n: number): Effect<"attempt"> {
  const about = { pipeline: pipeline.name, phase: "1 Work", role: "writer", instance: "", task: "", input: {} };
  const request = { ...about, round: 1, attempt: n, nonce: NONCE, tree, rendered: [], writes: ["part.txt"] };
  return { id: `${run}/1 Work/writer@${n}`, run, kind: "attempt", request };
}

/** Performs the attempts that it reads line by line, and reports each end. Designed to be paused. */
async function serve(places: Places): Promise<void> {
  const performer = await performerIn(places);
  console.log("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    // Written by the test that started this process.
    const effect = JSON.parse(line) as Effect<"attempt">;
    await performer.perform(effect, new AbortController().signal).catch(() => undefined);
    await performer.settled();
    console.log(effect.id);
  }
}

const [, program, repo, cache, runs] = process.argv;
if (program === import.meta.filename && repo && cache && runs) await serve({ repo, cache, runs });
