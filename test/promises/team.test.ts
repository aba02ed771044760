import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { openTeam, type TeamHost } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { answerAll } from "../team/person.ts";
import { SMALL_AGENTS, SMALL_CONFIG, SMALL_FILES, teamScene } from "../team/scene.ts";

const MINUTES = 60_000;

let server: TestPostgres;
let url: string;
let host: TeamHost;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("promise");
  host = await openTeam({ url, world: createRealWorld() });
}, 2 * MINUTES);
afterAll(async () => {
  await host.close();
  await server.stop();
});

test("[U-19] two workers with their own clones finish a run that a third machine submitted", async () => {
  const scene = teamScene({
    url,
    files: { ...SMALL_FILES, "agents.yaml": SMALL_AGENTS },
    config: SMALL_CONFIG,
  });
  try {
    const workers = ["worker-1", "worker-2"].map((name) => scene.machine(name).worker("--concurrency", "2"));
    await Promise.all(workers.map(({ ready }) => ready));
    const person = scene.machine("person");
    const agents = join(person.repo, "agents.yaml");
    const started = await person.signalbox("run", "small", "x", "--agents", agents, "--detach");
    expect(started.code, started.err + started.out).toBe(0);
    const { run } = JSON.parse(started.out.trim().split("\n").at(-1) ?? "{}");
    const records = await answerAll(host, run);
    expect(records.at(-1)).toMatchObject({ type: "run.finished", status: "done", exit: 0 });
    expect(records.filter(({ type }) => type === "agent.started")).toHaveLength(1);
  } finally {
    await scene.endWorkers();
    await scene.remove();
  }
});
