import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { definePipeline } from "../../src/core/authoring/pipeline.ts";
import { valueRule } from "../../src/core/authoring/rule.ts";
import type { Workspace } from "../../src/core/ports/workspace.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createExecutor } from "../../src/engine/execute/executor.ts";
import { createMemoryHost } from "../../src/hosts/memory/host.ts";
import { createMemoryStore } from "../../src/hosts/memory/store.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import type { Repository } from "./corpus.ts";
import { git } from "./git.ts";
import { type Spent, stopwatch } from "./stopwatch.ts";
import { readVerdict, type Verdict } from "./verdict.ts";

export type CandidateTree = {
  /** The commit that the work started from. */
  readonly base: string;
  readonly tree: string;
  readonly declared: "fix" | "feature" | undefined;
};

export type TimedVerdict = Verdict & Spent;

export type BenchEngine = {
  /** A separate clone, because the engine writes refs. */
  readonly repo: string;
  readonly workspace: Workspace;
  treeOf(commit: string): string;
  judge(work: CandidateTree): Promise<TimedVerdict>;
};

const LATEST_MS = 300_000;

/** Starts the real engine, workspace and performer on a host in memory. No agent is dispatched. */
export async function createBenchEngine(repository: Repository, dir: string): Promise<BenchEngine> {
  const at = (name: string) => join(dir, repository.name, name);
  mkdirSync(at("cache"), { recursive: true });
  const repo = at("repo");
  git(dir, "clone", "-q", "--shared", "--no-checkout", repository.dir, repo);
  const workspace = await gitWorkspace({ repo, cache: at("cache") });
  const world = createRealWorld();
  const performer = createExecutor({
    workspace,
    processes: createSupervisor({ world }),
    definitions: { define: () => Promise.reject(new Error("the benchmark dispatches no agent")) },
    world,
    pipelines: () => TAKEN,
    cache: at("cache"),
    runs: at("runs"),
  });
  const { commands, setup } = repository;
  const treeOf = (commit: string) => git(repo, "rev-parse", `${commit}^{tree}`).trim();
  return {
    repo,
    workspace,
    treeOf,
    async judge({ base, tree, declared }) {
      const host = createMemoryHost({ world, store: createMemoryStore() });
      const watch = stopwatch(performer);
      const owner = `truth-${world.newId()}`;
      const parts = { host, world, pipelines: () => TAKEN, performer: watch.performer, owner };
      const engine = createEngine({ ...parts, waits: false, patient: false });
      await host.serve(engine.handlers);
      const run = await engine.start({
        ...ORDER,
        input: { tree, ...(declared === undefined ? {} : { declared }) },
        repo,
        base: { commit: base, tree: treeOf(base) },
        commands,
        ...(setup ? { setup } : {}),
      });
      const end = await host.drive(run, AbortSignal.timeout(LATEST_MS));
      await performer.settled();
      const verdict = await readVerdict(host, run, end);
      await host.close();
      return { ...verdict, ...watch.spent() };
    },
  };
}

const ORDER = { pipeline: "taken", approvals: "autonomous", limits: {}, minConfidence: "low" } as const;

const LOOKED = valueRule<{ tree: string }>({
  id: "T-1",
  because: "The benchmark supplies this tree.",
  judge: () => ({ passed: true }),
});

/** Requests the commit of a given tree, so that only the engine's own evidence can stop it. */
const TAKEN = definePipeline<unknown>(
  {
    name: "taken",
    about: "a tree, taken as it is",
    version: 1,
    input: z.object({ tree: z.string(), declared: z.enum(["fix", "feature"]).optional() }),
    dialect: "json",
    phases: [{ title: "1 Take" }],
    cap: 1,
  },
  async ({ phase, gate, commit, input }) => {
    phase("1 Take");
    // What the schema of the input says.
    const { tree, declared } = input as { tree: string; declared?: "fix" | "feature" };
    const decision = await gate("taken", [LOOKED], { tree });
    await commit({ tree }, { message: "taken", because: [decision], ...(declared ? { declared } : {}) });
    return { status: "done" };
  },
);
