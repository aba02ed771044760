import { join } from "node:path";
import { z } from "zod";
import { createRealWorld } from "../src/cli/real-world.ts";
import { definePipeline } from "../src/core/authoring/pipeline.ts";
import { defineRole } from "../src/core/authoring/role.ts";
import type { Driver } from "../src/core/ports/driver.ts";
import type { Host } from "../src/core/ports/host.ts";
import type { ProcessExit, Processes } from "../src/core/ports/processes.ts";
import type { Workspace } from "../src/core/ports/workspace.ts";
import { createEngine } from "../src/engine/engine.ts";
import { createExecutor } from "../src/engine/execute/executor.ts";
import type { SandboxPaths } from "../src/engine/execute/sandbox.ts";
import { createSqliteHost } from "../src/hosts/sqlite/host.ts";
import { gitWorkspace } from "../src/workspace/workspace.ts";

/** Times of the parts of one dispatch, in milliseconds since 1970; `opening` and `snapshot` are durations. */
export type Marks = {
  verb: number;
  opening: number;
  /** The driver requested its process, which started a moment later. */
  ordered: number;
  started: number;
  exited: number;
  snapshot: number;
  recorded: number;
};

export type Dispatching = {
  readonly dir: string;
  readonly repo: string;
  readonly driver: Driver;
  readonly processes: Processes;
  /** The content of the folder is recorded after the run of a role that writes. */
  readonly writes: boolean;
  readonly sandboxPaths?: SandboxPaths;
  /** Computes the end of the process from its exit and its start. */
  readonly endOf: (exit: ProcessExit, ordered: number) => number;
};

export const clock = (): number => performance.timeOrigin + performance.now();

/** Runs the whole engine on the embedded host with a clock at each of its ports; every dispatch is a separate run. */
export async function withDispatches(
  at: Dispatching,
  body: (dispatch: () => Promise<Marks>) => Promise<void>,
): Promise<void> {
  const world = createRealWorld();
  const stopwatch = createStopwatch();
  const workspace = await gitWorkspace({ repo: at.repo, cache: join(at.dir, "cache") });
  const host = watchHost(createSqliteHost({ file: join(at.dir, "dispatch.db"), world }), stopwatch);
  const pipeline = createDispatchPipeline(at.writes, stopwatch);
  const performer = createExecutor({
    workspace: watchWorkspace(workspace, stopwatch),
    processes: watchProcesses(at, stopwatch),
    definitions: { define: async () => ({ prompt: "Do it.", driver: at.driver, from: "the benchmark" }) },
    world,
    pipelines: () => pipeline,
    cache: join(at.dir, "cache"),
    runs: join(at.dir, "runs"),
    ...(at.sandboxPaths ? { sandboxPaths: at.sandboxPaths } : {}),
  });
  const owner = `bench-${world.newId()}`;
  const pipelines = () => pipeline;
  const engine = createEngine({ host, world, pipelines, performer, owner, waits: false, patient: false });
  await host.serve(engine.handlers);
  const base = await workspace.head();
  await body(async () => {
    const run = await engine.start({ ...START, pipeline: pipeline.name, base });
    const { status } = await host.drive(run);
    if (status !== "done") throw new Error(`a dispatch of the benchmark ended ${status}`);
    await performer.settled();
    return stopwatch.taken();
  });
  await host.close();
}

const START = {
  input: null,
  repo: "bench",
  approvals: "autonomous",
  commands: [],
  exempt: "only dispatches are measured",
  limits: {},
  minConfidence: "low",
} as const;

function createDispatchPipeline(writes: boolean, stopwatch: Stopwatch) {
  const worker = defineRole({ name: "worker", does: "works", contract: z.object({ did: z.string() }), writes });
  return definePipeline<unknown>(
    {
      name: "dispatch",
      about: "one dispatch",
      version: 1,
      input: z.unknown(),
      dialect: "json",
      phases: [{ title: "1 Work", roles: [worker] }],
      cap: 1,
    },
    async ({ phase, agent }) => {
      phase("1 Work");
      stopwatch.begin();
      await agent(worker, {});
      return { status: "done" };
    },
  );
}

type Stopwatch = {
  begin(): void;
  note(seen: Partial<Marks>): void;
  taken(): Marks;
};

/** Creates a stopwatch. Only one dispatch runs at a time, so every event belongs to the newest one. */
function createStopwatch(): Stopwatch {
  const blank = (): Marks => ({
    verb: clock(),
    opening: 0,
    ordered: 0,
    started: 0,
    exited: 0,
    snapshot: 0,
    recorded: 0,
  });
  let marks = blank();
  return {
    begin() {
      marks = blank();
    },
    note: (seen) => void Object.assign(marks, seen),
    taken: () => marks,
  };
}

function watchWorkspace(workspace: Workspace, stopwatch: Stopwatch): Workspace {
  const { note } = stopwatch;
  return {
    ...workspace,
    of: (run, fence) => watchWorkspace(workspace.of(run, fence), stopwatch),
    async open(tree, name, base) {
      const from = clock();
      const opened = await workspace.open(tree, name, base);
      note({ opening: clock() - from });
      return opened;
    },
    async snapshot(dir, options) {
      const from = clock();
      const taken = await workspace.snapshot(dir, options);
      note({ snapshot: clock() - from });
      return taken;
    },
  };
}

function watchProcesses({ processes, endOf }: Dispatching, { note }: Stopwatch): Processes {
  return {
    ...processes,
    async start(order) {
      const ordered = clock();
      const running = await processes.start(order);
      note({ ordered, started: clock() });
      const exited = running.exited.then((exit) => {
        note({ exited: endOf(exit, ordered) });
        return exit;
      });
      return { ...running, exited };
    },
  };
}

function watchHost(host: Host, { note }: Stopwatch): Host {
  return {
    ...host,
    journal: {
      ...host.journal,
      async append(lease, records) {
        await host.journal.append(lease, records);
        if (records.some((record) => record.type === "step.finished")) note({ recorded: clock() });
      },
    },
  };
}
