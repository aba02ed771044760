import { join } from "node:path";
import { z } from "zod";
import { realWorld } from "../src/cli/world.ts";
import { definePipeline } from "../src/core/pipeline.ts";
import type { Host } from "../src/core/ports/host.ts";
import type { Processes } from "../src/core/ports/processes.ts";
import type { Workspace } from "../src/core/ports/workspace.ts";
import { defineRole } from "../src/core/role.ts";
import { commandDriver } from "../src/drivers/command/command-driver.ts";
import { createEngine } from "../src/engine/engine.ts";
import { createPerformer } from "../src/engine/perform/performer.ts";
import { sqliteHost } from "../src/hosts/sqlite/host.ts";
import { supervisor } from "../src/processes/supervisor.ts";
import { gitWorkspace } from "../src/workspace/workspace.ts";
import { atMost, type Figure, percentile, shown } from "./figure.ts";
import { smallRepository } from "./small-repository.ts";

const DISPATCHES = 60;
const WARM_UP = 5;

/** Answers at once; the last thing it does is to say when, in nanoseconds, on standard error. */
const AGENT = `nonce=$(sed -n 's/^  nonce: //p')
printf '\`\`\`yaml\\ncompletion:\\n  nonce: %s\\n  found: nothing\\n\`\`\`\\n' "$nonce"
exec date +%s%N >&2`;

/** When each part of one dispatch happened, in milliseconds since 1970. */
type Marks = { verb: number; opening: number; started: number; exited: number; recorded: number };

/** What the engine adds to a dispatch: from the verb to a running process, and from its end to a stored result. */
export async function dispatchFigures(dir: string): Promise<Figure[]> {
  const marks = (await dispatchAll(dir)).slice(WARM_UP);
  const before = marks.map((mark) => mark.started - mark.verb - mark.opening);
  const after = marks.map((mark) => mark.recorded - mark.exited);
  const added = before.map((ms, at) => ms + (after[at] ?? Number.NaN));
  const p50 = (values: readonly number[]) => percentile(values, 0.5);
  return [
    atMost({
      name: "what the engine adds to a dispatch, opening the tree aside, p50",
      value: p50(added),
      target: 10,
      unit: "ms",
      from: `${shown(p50(before))} before the start, ${shown(p50(after))} after the end; p95 ${shown(percentile(added, 0.95))}`,
    }),
    { name: "opening the tree, p50", reached: `${shown(p50(marks.map((mark) => mark.opening)))} ms` },
  ];
}

async function dispatchAll(dir: string): Promise<readonly Marks[]> {
  const world = realWorld();
  const marks: Marks[] = [];
  const workspace = await gitWorkspace({ repo: smallRepository(dir), cache: join(dir, "cache") });
  const host = watchedHost(sqliteHost({ file: join(dir, "dispatch.db"), world }), marks);
  const pipeline = dispatching(marks);
  const driver = commandDriver({ name: "agent", argv: ["sh", "-c", AGENT] });
  const performer = createPerformer({
    workspace: watchedWorkspace(workspace, marks),
    processes: watchedProcesses(supervisor({ world }), marks),
    definitions: { define: async () => ({ prompt: "Look around.", driver, from: "the benchmark" }) },
    world,
    pipelines: () => pipeline,
    cache: join(dir, "cache"),
    runs: join(dir, "runs"),
  });
  const owner = `bench-${world.newId()}`;
  const engine = createEngine({
    host,
    world,
    pipelines: () => pipeline,
    performer,
    owner,
    waits: false,
    patient: false,
  });
  await host.serve(engine.handlers);
  const run = await engine.start({
    pipeline: pipeline.name,
    input: null,
    repo: "bench",
    base: await workspace.head(),
    approvals: "autonomous",
    commands: [],
    limits: {},
    minConfidence: "low",
  });
  const { status } = await host.drive(run);
  await host.close();
  if (status !== "done") throw new Error(`the dispatches of the benchmark ended ${status}`);
  return marks;
}

function dispatching(marks: Marks[]) {
  const reader = defineRole({ name: "reader", does: "reads", contract: z.object({ found: z.string() }) });
  return definePipeline<unknown>(
    {
      name: "dispatches",
      about: "one dispatch after the other",
      version: 1,
      input: z.unknown(),
      dialect: "completion",
      phases: [{ title: "1 Read", roles: [reader] }],
      cap: 1,
    },
    async ({ phase, agent }) => {
      phase("1 Read");
      for (let n = 0; n < DISPATCHES; n += 1) {
        marks.push({ verb: clock(), opening: 0, started: 0, exited: 0, recorded: 0 });
        await agent(reader, { n });
      }
      return { status: "done" };
    },
  );
}

// One dispatch at a time, so whatever is seen belongs to the newest one.
const note = (marks: readonly Marks[], seen: Partial<Marks>): void => {
  const newest = marks.at(-1);
  if (newest) Object.assign(newest, seen);
};

function watchedWorkspace(workspace: Workspace, marks: readonly Marks[]): Workspace {
  return {
    ...workspace,
    async open(tree, name) {
      const from = clock();
      const opened = await workspace.open(tree, name);
      note(marks, { opening: clock() - from });
      return opened;
    },
  };
}

function watchedProcesses(processes: Processes, marks: readonly Marks[]): Processes {
  return {
    ...processes,
    async start(order) {
      const running = await processes.start(order);
      note(marks, { started: clock() });
      const exited = running.exited.then((exit) => {
        note(marks, { exited: Number(exit.stderrTail) / 1e6 });
        return exit;
      });
      return { ...running, exited };
    },
  };
}

function watchedHost(host: Host, marks: readonly Marks[]): Host {
  return {
    ...host,
    journal: {
      ...host.journal,
      async append(claim, records) {
        // The next dispatch begins while the result of this one is on its way to the disk.
        const about = marks.at(-1);
        const finished = records.findIndex((record) => record.type === "step.finished");
        const next = records.some((record, at) => record.type === "step.started" && at > finished);
        await host.journal.append(claim, records);
        const whose = next ? marks.at(-2) : about;
        if (finished >= 0 && whose) whose.recorded = clock();
      },
    },
  };
}

const clock = (): number => performance.timeOrigin + performance.now();
