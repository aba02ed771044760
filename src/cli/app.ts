import type { Host } from "../core/ports/host.ts";
import type { Processes } from "../core/ports/processes.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import type { World } from "../core/ports/world.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { createPerformer } from "../engine/perform/performer.ts";
import { sqliteHost } from "../hosts/sqlite/host.ts";
import { ownerName } from "../hosts/sqlite/owner.ts";
import { supervisor } from "../processes/supervisor.ts";
import { gitWorkspace } from "../workspace/workspace.ts";
import type { Agents } from "./agents.ts";
import type { Call } from "./call.ts";
import { type Config, readConfig } from "./config.ts";
import { builtInDefinitions } from "./definitions.ts";
import { builtInPipelines, ownPipelineFiles, ownPipelines, type Registry, registryOf } from "./pipelines.ts";
import { placesOf, type RepositoryPlaces, settle } from "./repository.ts";
import { requireTrust } from "./trust.ts";
import { realWorld } from "./world.ts";

/** What a repository brings, after a person's yes. */
export type Project = {
  readonly places: RepositoryPlaces;
  readonly config: Config | undefined;
  readonly pipelines: Registry;
};

export async function openProject(call: Call, trusted: boolean): Promise<Project> {
  const places = await placesOf(call.dir);
  const config = await readConfig(places.config);
  const files = await ownPipelineFiles(places.pipelines);
  requireTrust({ config, pipelines: files }, trusted);
  const own = await ownPipelines(places.pipelines, files);
  return { places, config, pipelines: registryOf([...(await builtInPipelines()), ...own]) };
}

/** Everything that a run needs, composed: the only place that knows all the parts. */
export type App = {
  readonly project: Project;
  readonly world: World;
  readonly host: Host;
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly engine: Engine;
};

export type AppOptions = {
  readonly agents: Agents;
  /** A person is there to answer: open questions hold the run. */
  readonly waits: boolean;
};

export async function withApp<T>(project: Project, options: AppOptions, use: (app: App) => Promise<T>): Promise<T> {
  const { places, pipelines } = project;
  await settle(places);
  const world = realWorld();
  const workspace = await gitWorkspace({ repo: places.top, cache: places.cache });
  const processes = supervisor({ world });
  const definitions = builtInDefinitions(options.agents, world);
  const { cache, runs } = places;
  const parts = { workspace, processes, definitions, world, pipelines: pipelines.find, cache, runs };
  const host = sqliteHost({ file: places.database, world });
  const engine = createEngine({
    host,
    world,
    pipelines: pipelines.find,
    performer: createPerformer(parts),
    owner: ownerName(),
    waits: options.waits,
    patient: false,
  });
  try {
    await host.serve(engine.handlers);
    return await use({ project, world, host, workspace, processes, engine });
  } finally {
    await host.close();
  }
}
