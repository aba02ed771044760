import { join } from "node:path";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { Host } from "../../src/core/ports/host.ts";
import type { Workspace } from "../../src/core/ports/workspace.ts";
import { readScript } from "../../src/drivers/scripted/read-script.ts";
import type { ScriptRule } from "../../src/drivers/scripted/script.ts";
import { createScriptedDriver } from "../../src/drivers/scripted/scripted-driver.ts";
import { createEngine, type Engine, type EngineDeps } from "../../src/engine/engine.ts";
import { createExecutor, type Executor } from "../../src/engine/execute/executor.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";

export type ScriptedParts = {
  /** Contains `repo`; caches and runs are beside it. */
  readonly dir: string;
  readonly pipeline: Pipeline;
  readonly host: Host;
  /** YAML, or its rules. */
  readonly agents: string | readonly ScriptRule[];
  /** Wraps the executor. */
  readonly around?: (performer: Executor) => Executor;
  readonly engine?: Partial<EngineDeps>;
};

export type ScriptedEngine = Engine & {
  base(): ReturnType<Workspace["head"]>;
  /** Closes the host too. */
  close(): Promise<void>;
};

/** An engine with real agent processes that follow a script, on a real repository. */
export async function scriptedEngine(parts: ScriptedParts): Promise<ScriptedEngine> {
  const { dir, pipeline, host, agents, around = (performer) => performer } = parts;
  const world = createRealWorld({});
  const workspace = await gitWorkspace({ repo: join(dir, "repo"), cache: join(dir, "cache") });
  const driver = createScriptedDriver(typeof agents === "string" ? readScript(agents) : { file: "the test", agents });
  const pipelines = (name: string) => (name === pipeline.name ? pipeline : undefined);
  const performer = createExecutor({
    workspace,
    processes: createSupervisor({ world, graceMs: 200 }),
    definitions: { define: async () => ({ prompt: "Play your part.", driver, from: "the test" }) },
    world,
    pipelines,
    cache: join(dir, "cache"),
    runs: join(dir, "runs"),
  });
  const engine = createEngine({
    host,
    world,
    pipelines,
    performer: around(performer),
    owner: "the test",
    waits: false,
    patient: false,
    ...parts.engine,
  });
  await host.serve(engine.handlers);
  return {
    ...engine,
    base: () => workspace.head(),
    async close() {
      await host.close();
      await performer.settled();
    },
  };
}
