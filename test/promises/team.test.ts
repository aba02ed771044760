import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { realWorld } from "../../src/cli/real-world.ts";
import { openTeam, type TeamHost } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { answerAll } from "../team/person.ts";
import { teamScene } from "../team/scene.ts";
import { world } from "../worlds/task.ts";

const MINUTES = 60_000;

let server: TestPostgres;
let url: string;
let host: TeamHost;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("promise");
  host = await openTeam({ url, world: realWorld() });
}, 2 * MINUTES);
afterAll(async () => {
  await host.close();
  await server.stop();
});

test("[U-19] two workers in clones of their own bring a run that a third machine submitted to its end", async () => {
  const scene = teamScene({ url, files: world.files, config: world.config });
  try {
    const script = join(scene.dir, "agents.yaml");
    writeFileSync(script, stringify({ agents: world.agents }, { lineWidth: 0 }));
    await Promise.all(["worker-1", "worker-2"].map((name) => scene.machine(name).worker("--concurrency", "2").ready));
    const person = scene.machine("person");
    const started = await person.signalbox("run", world.pipeline, ...world.args, "--agents", script, "--detach");
    expect(started.code, started.err + started.out).toBe(0);
    const { run } = JSON.parse(started.out.trim().split("\n").at(-1) ?? "{}");
    const records = await answerAll(host, run);
    expect(records.at(-1)).toMatchObject({ type: "run.finished", status: world.ends.status, exit: world.ends.exit });
    expect(records.filter((each) => each.type === "agent.started").length).toBeGreaterThan(0);
  } finally {
    await scene.endWorkers();
    scene.remove();
  }
});
