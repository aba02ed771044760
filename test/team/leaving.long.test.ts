import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { BIN } from "../support/program.ts";
import { world } from "../worlds/task.ts";
import { type Machine, type TeamScene, teamScene, type WorkerProcess } from "./scene.ts";

const MINUTES = 60_000;
/** Long enough that a process waiting for the start finds the agent running. */
const SLOW = { role: "reviewer", do: [{ sleep: 4_000 }], output: { verdict: "approve" } };

let server: TestPostgres;
let scene: TeamScene;
let person: Machine;
let workers: readonly WorkerProcess[];
let script: string;
beforeAll(async () => {
  server = await startPostgres();
  scene = teamScene({ url: await server.team("leaving"), files: world.files, config: world.config });
  script = join(scene.dir, "agents.yaml");
  writeFileSync(script, stringify({ agents: [...world.agents.slice(0, -1), SLOW] }));
  person = scene.machine("person");
  workers = ["worker-1", "worker-2"].map((name) => scene.machine(name).worker());
  await Promise.all(workers.map(({ ready }) => ready));
}, 3 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

const run = () => followCommand(person, "run", "task", ...world.args, "--agents", script);

test("Ctrl-C leaves a run to its workers: the command exits with 0, and the run finishes", {
  timeout: 3 * MINUTES,
}, async () => {
  const first = run();
  const { run: id } = await first.heard("run.started");
  first.child.kill("SIGINT");
  expect(await first.gone).toBe(0);
  expect(first.events.at(-1)).toMatchObject({ run: id, detached: true });
  const again = followCommand(person, "events", id, "--follow");
  expect(await again.heard("run.finished")).toMatchObject({ status: "done", exit: 0 });
  await again.gone;
});

test("a worker that is asked to stop terminates its agents and leaves its run to another worker, and followers stay connected", {
  timeout: 4 * MINUTES,
}, async () => {
  const following = run();
  const started = await following.heard("agent.started", ({ role }) => role === "reviewer");
  const [owner] = workers.filter(({ lines }) =>
    lines.some((line) => line.includes("run.taken") && line.includes(started.run)),
  );
  expect(await owner?.end("SIGTERM")).toBe(0);
  expect(owner?.lines.join("\n")).toContain("worker.stopped");
  expect(await following.gone).toBe(0);
  expect(following.events.at(-1)).toMatchObject({ type: "run.finished", status: "done" });
  const owners = following.events.flatMap((event) => (event["type"] === "engine.started" ? [event["owner"]] : []));
  expect(new Set(owners).size).toBe(2);
});

test("after a worker is killed, why names it, its last heartbeat and what the run waits for, and the next worker takes over", {
  timeout: 4 * MINUTES,
}, async () => {
  const following = run();
  const started = await following.heard("agent.started", ({ role }) => role === "reviewer");
  await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  const readStanding = async () => JSON.parse((await person.signalbox("why", started.run)).out).standing;
  await expect.poll(readStanding, { timeout: MINUTES, interval: 1_000 }).toMatchObject({
    status: "queued",
    because: expect.stringMatching(
      /, which drove it, sent its last heartbeat at [\w ]*\d\d:\d\d:\d\d, .* ago; no worker for this repository is running; the run needs pipeline task/,
    ),
    next: [`signalbox events ${started.run} --follow`, `signalbox cancel ${started.run}`],
  });
  await scene.machine("worker-3").worker().ready;
  const again = followCommand(person, "events", started.run, "--follow");
  expect(await again.heard("run.finished")).toMatchObject({ status: "done", exit: 0 });
  await again.gone;
  await following.gone;
});

type Event = { readonly type: string; readonly run: string; readonly [key: string]: unknown };

type FollowedCommand = {
  readonly child: ChildProcess;
  readonly events: readonly Event[];
  readonly gone: Promise<number | null>;
  heard(type: string, which?: (event: Event) => boolean): Promise<Event>;
};

/** Starts a command and collects its events. */
function followCommand({ repo, env }: Machine, ...words: string[]): FollowedCommand {
  const child = spawn(process.execPath, [BIN, "-C", repo, "--json", ...words], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  const gone = new Promise<number | null>((left) => child.once("close", left));
  return {
    child,
    events,
    gone,
    heard: (type, which = () => true) =>
      new Promise((found, missed) => {
        const look = (): void => {
          const event = events.find((each) => each.type === type && which(each));
          if (event) found(event);
        };
        waiting.add(look);
        look();
        void gone.then(() => missed(new Error(`it ended without ${type}: ${JSON.stringify(events.at(-1))}`)));
      }),
  };
}
