import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { findSandbox } from "../../src/processes/sandbox/sandbox.ts";
import { lastEvent, makeScene, type Scene, type Talk } from "../cli/scene.ts";

const PIPELINE = `import { definePipeline, defineRole } from "signalbox";
import { z } from "zod";

const worker = defineRole({ name: "worker", does: "Works.", contract: z.object({ did: z.string() }), writes: true });

export const four = definePipeline(
  {
    name: "four",
    about: "Four agents at once",
    version: 1,
    input: z.object({ request: z.string().min(1) }),
    dialect: "json",
    phases: [{ title: "1 Work", roles: [worker] }],
    cap: 4,
  },
  async ({ phase, parallel, agent }) => {
    phase("1 Work");
    await parallel(["a", "b", "c", "d"], (name) => agent(worker, { name }), { key: (name) => name });
    return { status: "done", confidence: "high" };
  },
);
`;

/** Processes of one agent: a child, one in its own session, and a daemon by two forks, each with a mark to find it. */
const FAMILY = (mark: string) => `sleep ${mark} & setsid sleep ${mark} & ( setsid sh -c 'sleep ${mark} &' & );`;
/** Only a namespace finds this process: it has neither the cookie nor a parent. */
const HIDDEN = (mark: string) => `( setsid env -i /bin/sleep ${mark} & )`;

/** Only the first attempt hangs, so that a continued run can end. */
const renderAgents = (deeds: string) => `agents:
  - role: worker
    attempt: 1
    do: [{ run: ${JSON.stringify(deeds)} }, { misbehave: hang }]
    output: { did: nothing }
  - { role: worker, output: { did: it } }
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }]
    output: { summary: write a file }
`;

const marks: string[] = [];
/** Returns a number of seconds with a unique fraction, unlike any other process on this machine. */
const createMark = (): string => {
  const mark = `86400.${process.pid}${marks.length}`;
  marks.push(mark);
  return mark;
};

/** Lists the sleepers with this mark, whatever their parent is now. */
function listSleepers(mark: string): readonly number[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => {
    try {
      const [program = "", seconds] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return program.endsWith("sleep") && seconds === mark;
    } catch {
      return false;
    }
  });
}

const PATIENCE_MS = 60_000;

async function waitUntil(condition: () => boolean, patienceMs = PATIENCE_MS): Promise<number> {
  const from = performance.now();
  while (!condition()) {
    if (performance.now() - from > patienceMs) throw new Error(`not within ${patienceMs} ms`);
    await wait(10);
  }
  return performance.now() - from;
}

const bystanders: ChildProcess[] = [];
afterAll(() => {
  for (const each of bystanders) each.kill("SIGKILL");
  // Cleans up after a failed test.
  for (const pid of marks.flatMap(listSleepers)) process.kill(pid, "SIGKILL");
});

/** Starts a foreign process that only looks like one of ours. */
function startBystander(mark: string, cookie?: string): ChildProcess {
  const env = { PATH: process.env["PATH"] ?? "", ...(cookie === undefined ? {} : { SIGNALBOX_COOKIE: cookie }) };
  const child = spawn("sleep", [mark], { env, stdio: "ignore", detached: true });
  bystanders.push(child);
  return child;
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

type Running = { readonly scene: Scene; readonly mark: string; readonly run: string; readonly engine: Talk };
type StartOptions = {
  readonly sandbox: "auto" | "off";
  readonly env?: Record<string, string>;
  readonly hidden?: boolean;
};

/** Starts a run with four running agents and their child processes. */
async function startFourAgents({ sandbox, env = {}, hidden = false }: StartOptions): Promise<Running> {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: sandbox, ...env } });
  scene.put(".signalbox/pipelines/four.ts", PIPELINE);
  const mark = createMark();
  writeFileSync(scene.agents, renderAgents(FAMILY(mark) + (hidden ? HIDDEN(mark) : "")));
  const engine = scene.start("run", "four", "go", "--agents", scene.agents, "--json");
  const run = String((await engine.heard("run.started"))["run"]);
  await waitUntil(() => listSleepers(mark).length === (hidden ? 16 : 12));
  return { scene, mark, run, engine };
}

async function killEngine({ engine }: Running): Promise<void> {
  engine.kill("SIGKILL");
  await engine.ended;
}

/** Creates a PATH with every program except bubblewrap. */
function hideBubblewrap(scene: { readonly dir: string }): string {
  const folder = join(scene.dir, "programs");
  mkdirSync(folder);
  const seen = new Set(["bwrap"]);
  for (const place of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of listNames(place)) {
      if (!seen.has(name)) symlinkSync(join(place, name), join(folder, name));
      seen.add(name);
    }
  }
  return folder;
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

describe("an engine killed while four agents run", () => {
  test.for(["bubblewrap", "namespace"] as const)(
    "takes everything that they started with it within two seconds, with %s",
    async (kind, { skip }) => {
      const dir = makeScene().repo;
      const PATH = kind === "bubblewrap" ? (process.env["PATH"] ?? "") : hideBubblewrap({ dir });
      const found = await findSandbox({ PATH });
      skip(found.name !== kind, found.summary);
      const other = startBystander(createMark());
      const running = await startFourAgents({ sandbox: "auto", env: { PATH }, hidden: true });
      const like = startBystander(`${running.mark}9`);
      await killEngine(running);
      const ms = await waitUntil(() => listSleepers(running.mark).length === 0, 2_000);
      console.log(`SIGKILL with four agents, ${kind}: 16 processes gone after ${Math.round(ms)} ms`);
      expect([other, like].map(isAlive)).toEqual([true, true]);
    },
  );

  test("without a sandbox leaves them running, and resume terminates them and no other process", async () => {
    const running = await startFourAgents({ sandbox: "off" });
    const { scene, mark, run } = running;
    const others = [
      startBystander(`${mark}9`),
      startBystander(createMark(), `${run}x/1 Work/a/worker@1`),
      startBystander(createMark(), run),
    ];
    await killEngine(running);
    expect(listSleepers(mark)).toHaveLength(12);
    // Simulates a process id that was reused by another process.
    const [innocent] = others;
    const spools = join(scene.repo, ".signalbox/runs", run, "spool");
    for (const name of readdirSync(spools))
      writeFileSync(join(spools, name, "leader"), readFileSync(`/proc/${innocent?.pid}/stat`));
    const resumed = await scene.signalbox("resume", run, "--json");
    expect(lastEvent(resumed), resumed.err).toMatchObject({ type: "run.finished", status: "done" });
    expect(listSleepers(mark)).toEqual([]);
    expect(others.map(isAlive)).toEqual([true, true, true]);
  });

  test.each([
    ["another run", ["run", "small", "x"]],
    ["the word to cancel it", ["cancel"]],
  ])("without a sandbox leaves them running until %s starts an engine there", async (_name, args) => {
    const running = await startFourAgents({ sandbox: "off" });
    const { scene, mark, run } = running;
    const elsewhere = startBystander(createMark(), "some-other-run/1 Work/a@1");
    await killEngine(running);
    expect(listSleepers(mark)).toHaveLength(12);
    const agentsOf = args[0] === "run" ? ["--agents", scene.agents] : [run];
    const ended = await scene.signalbox(...args, ...agentsOf, "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    expect(listSleepers(mark)).toEqual([]);
    expect(isAlive(elsewhere)).toBe(true);
  });
});

test("a run that continues in another process keeps its agents when a second engine starts", async () => {
  const running = await startFourAgents({ sandbox: "off" });
  const { scene, mark } = running;
  const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  expect(ended.exit, ended.out + ended.err).toBe(0);
  expect(listSleepers(mark)).toHaveLength(12);
  running.engine.kill("SIGTERM");
  await running.engine.ended;
  expect(listSleepers(mark)).toEqual([]);
});
