import { createHash, randomUUID } from "node:crypto";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { AttemptRequest, Effect, EffectKind, EffectResult } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { DriveResult, Host, Signal } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import { createEngine, type EngineDeps, type RunOrder } from "../../src/engine/engine.ts";
import { createMemoryHost } from "../../src/hosts/memory/host.ts";
import { createMemoryStore } from "../../src/hosts/memory/store.ts";

export const BASE_TREE = "b".repeat(40);

/** The real world with short waits, so that tests need not wait for the engine's delays. */
export function quickWorld(): World {
  const real = createRealWorld({});
  return { ...real, sleep: (ms, signal) => real.sleep(Math.min(ms, 200), signal) };
}

export type Execute = (effect: Effect, signal: AbortSignal) => unknown;

/** Answers every dispatch with the test's function; other effects have fixed results. */
export function world(answer: (request: AttemptRequest, signal: AbortSignal) => unknown): Execute {
  return (effect, signal) => {
    if (effect.kind === "attempt") return answer(effect.request, signal);
    if (effect.kind === "check") {
      return effect.request.commands.map(({ name, run }) => ({
        name,
        command: run,
        exitCode: 0,
        ms: 1,
        digest: "d",
        snippet: "ok",
      }));
    }
    if (effect.kind === "exam") return { exam: [], code: ["a.txt"], inseparable: [] };
    if (effect.kind === "merge")
      return { clean: true, tree: { tree: effect.request.trees.at(-1) ?? effect.request.base } };
    if (effect.kind === "commit") return { commit: `c-${effect.request.tree}`, branch: effect.request.branch };
    if (effect.kind === "write") return { hash: createHash("sha256").update(effect.request.text).digest("hex") };
    return { tree: BASE_TREE, commit: "c0", branch: "main" };
  };
}

export const done = (contract: object, after?: string) => ({
  outcome: "done" as const,
  contract,
  ms: 1,
  ...(after === undefined ? {} : { after, changed: ["a.txt"], outside: [] }),
});
export const failed = (code = "agent_crashed", kind: "transient" | "deterministic" = "transient") => ({
  outcome: "failed" as const,
  failure: { class: kind, code, message: `it failed: ${code}` },
  ms: 1,
});

export type StageOptions = {
  readonly pipeline: Pipeline<never> | Pipeline;
  readonly perform?: Execute;
  readonly recover?: Execute;
  readonly host?: Host;
  readonly order?: Partial<RunOrder>;
  readonly parts?: Partial<EngineDeps>;
  readonly world?: World;
};

export type Stage = {
  readonly host: Host;
  readonly run: string;
  drive(signal?: AbortSignal): Promise<DriveResult>;
  /** Runs the same run with other code on another engine. */
  again(options: Partial<StageOptions>): Promise<Stage>;
  records(): Promise<readonly JournalRecord[]>;
  post(signal: Signal): Promise<unknown>;
};

/** A run of a pipeline on a memory host, ready to be driven. */
export async function stage(options: StageOptions): Promise<Stage> {
  const host = options.host ?? createMemoryHost({ world: options.world ?? quickWorld(), store: createMemoryStore() });
  const engine = await openEngine(host, options);
  const run = await engine.start({
    pipeline: options.pipeline.name,
    input: {},
    repo: "/repo",
    base: { commit: "c0", tree: BASE_TREE },
    approvals: "autonomous",
    commands: [],
    limits: {},
    minConfidence: "medium",
    exempt: "nothing is checked here",
    ...options.order,
  });
  return onRun(host, run, options);
}

export async function onRun(host: Host, run: string, options: StageOptions): Promise<Stage> {
  return {
    host,
    run,
    drive: (signal) => host.drive(run, signal),
    async again(more) {
      const all = { ...options, ...more };
      await openEngine(host, all);
      return onRun(host, run, all);
    },
    records: () => host.journal.load(run),
    post: (signal) => host.inbox.post(run, signal),
  };
}

async function openEngine(host: Host, options: StageOptions) {
  const act = options.perform ?? world(() => done({ ok: true }));
  const call = (how: Execute) => async (effect: Effect, signal: AbortSignal) =>
    (await how(effect, signal)) as EffectResult<EffectKind>;
  const engine = createEngine({
    host,
    world: options.world ?? quickWorld(),
    pipelines: (name) => (name === options.pipeline.name ? (options.pipeline as Pipeline) : undefined),
    // A test answers one kind of effect at a time; the stage does not know which.
    performer: { perform: call(act) as never, recover: call(options.recover ?? act) as never },
    owner: `test-${randomUUID()}`,
    waits: false,
    patient: false,
    ...options.parts,
  });
  await host.serve(engine.handlers);
  return engine;
}
