import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Handlers } from "../../src/core/ports/host.ts";
import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import { openTeam } from "../../src/hosts/dbos/open-team.ts";
import { createAttempt } from "../../src/hosts/suite/facts.ts";
import { engineOn, startSteps } from "../steps.ts";

const SUBMITS = 30;
const FOLLOWED_STEPS = 500;

/** Measures the milliseconds from a submit to the start of the run's first attempt on an idle worker. */
export async function dispatchDelays(url: string): Promise<readonly number[]> {
  const worker = await createDbosHost({ url, world: createRealWorld() });
  const client = await openTeam({ url, world: createRealWorld() });
  const never = new AbortController().signal;
  let performed: () => void = () => undefined;
  const answer = async () => {
    performed();
    return { outcome: "interrupted" };
  };
  await worker.serve({
    drive: async (run) => {
      await worker.effects.start(createAttempt(run), never);
      return { status: "done", exit: 0 };
    },
    // The result is not used: only the delay is measured.
    perform: answer as Handlers["perform"],
    recover: answer as Handlers["recover"],
  });
  const delays: number[] = [];
  for (let n = 0; n < SUBMITS; n += 1) {
    const run = `run-${createRealWorld().newId()}`;
    await client.runs.create({ id: run, pipeline: "steps", repo: "bench" });
    const begun = new Promise<void>((resolve) => {
      performed = resolve;
    });
    const from = performance.now();
    await client.team.submit(run, []);
    await begun;
    delays.push(performance.now() - from);
    await client.drive(run);
  }
  await client.close();
  await worker.close();
  return delays;
}

/** Measures the events per second that a follower on its own handle gets of a running run. */
export async function followedRate(url: string): Promise<number> {
  const worker = await createDbosHost({ url, world: createRealWorld() });
  const client = await openTeam({ url, world: createRealWorld() });
  const run = await startSteps(await engineOn(worker), FOLLOWED_STEPS);
  const from = performance.now();
  await client.team.submit(run, []);
  let events = 0;
  for await (const { type } of client.journal.follow(run, 0, new AbortController().signal)) {
    events += 1;
    if (type === "run.finished") break;
  }
  const rate = (events * 1_000) / (performance.now() - from);
  await client.close();
  await worker.close();
  return rate;
}
