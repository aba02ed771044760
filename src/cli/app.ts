import type { QuotaPolicy } from "../core/budget/quota.ts";
import type { Host } from "../core/ports/host.ts";
import type { PortBlocks } from "../core/ports/port-blocks.ts";
import type { Processes, ProcessLimits } from "../core/ports/processes.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import type { World } from "../core/ports/world.ts";
import { createFolderMailbox } from "../drivers/mailbox/folder-mailbox.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { createExecutor, type Executor } from "../engine/execute/executor.ts";
import { createSqliteHost } from "../hosts/sqlite/host.ts";
import { getOwnerName } from "../hosts/sqlite/owner.ts";
import { createPortBlocks } from "../processes/port-blocks.ts";
import { chooseSandbox, type Sandbox, type SandboxMode } from "../processes/sandbox/sandbox.ts";
import { createSupervisor } from "../processes/supervisor.ts";
import { sweepOrphans } from "../processes/tag/orphans.ts";
import type { Collector } from "../surfaces/telemetry/exporter.ts";
import { type GitWorkspaceOptions, gitWorkspace } from "../workspace/workspace.ts";
import type { AgentLookup } from "./agents/agents.ts";
import { createDefinitions } from "./agents/definitions.ts";
import { listSandboxPaths } from "./agents/sandbox-paths.ts";
import { suggestFixes } from "./doctor/fixes.ts";
import type { Target } from "./notify/targets.ts";
import {
  addConfiguredValues,
  type EnvironmentRules,
  listVariableNames,
  resolveEnvironment,
} from "./project/environment.ts";
import { noteRepository } from "./project/known-repositories.ts";
import type { Project } from "./project/project.ts";
import { prepareRepository } from "./project/repository.ts";
import { createRealWorld } from "./real-world.ts";
import { refuseEmptyDatabase, refuseLostRuns } from "./runs/lost-runs.ts";
import { createOrphanCheck } from "./runs/run-store.ts";
import { createFileScrubber } from "./secrets/scrub-file.ts";

/** Components that execute effects in this process. */
export type ExecutionParts = {
  readonly project: Project;
  readonly world: World;
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly performer: Executor;
  readonly sandbox: Sandbox;
};

/** Fully composed application for a run. Only this module knows all the parts. */
export type App = Omit<ExecutionParts, "performer"> & {
  readonly host: Host;
  readonly engine: Engine;
  readonly targets: readonly Target[];
  readonly collector: Collector | undefined;
  /** Call when no person can answer any more: open questions then suspend the run instead of holding it. */
  leaveQuestions(): void;
};

export type AppOptions = {
  readonly agents: AgentLookup;
  /** A person can answer, so open questions hold the run. */
  readonly waits: boolean;
  readonly sandbox: SandboxMode;
  readonly patience: ProcessLimits;
  readonly usageWindow: QuotaPolicy;
  readonly record?: string | undefined;
  /** Environment of setup and checks. */
  readonly environment: EnvironmentRules;
  /** Notification targets for questions and for the end of a run. */
  readonly targets: readonly Target[];
  readonly collector: Collector | undefined;
};

export async function withApp<T>(project: Project, options: AppOptions, use: (app: App) => Promise<T>): Promise<T> {
  // Must come first: the sandbox hides the user's state folder only if it exists.
  await noteRepository(project.places.top, createRealWorld());
  const { performer, ...hands } = await createExecutionParts(project, options);
  const { world, workspace, sandbox } = hands;
  refuseEmptyDatabase(project.places);
  const host = createSqliteHost({ file: project.places.database, world });
  const left = new AbortController();
  const { targets, collector } = options;
  const engine = createEngine({
    host,
    world,
    pipelines: project.pipelines.find,
    performer,
    owner: getOwnerName(),
    waits: options.waits && left.signal,
    patient: false,
    sandbox: sandbox.summary,
    usageWindow: options.usageWindow,
    cures: (sick) =>
      suggestFixes({
        ...sick,
        workspace,
        world,
        places: project.places,
        given: listVariableNames(options.environment.setup),
      }),
  });
  try {
    await refuseLostRuns(project.places, host);
    await host.serve(engine.handlers);
    await sweepOrphans(createOrphanCheck(host), world);
    return await use({ ...hands, host, engine, targets, collector, leaveQuestions: () => left.abort() });
  } finally {
    await host.close();
    await performer.settled();
  }
}

export type ExecutionOptions = Pick<AppOptions, "agents" | "sandbox" | "patience" | "record" | "environment"> & {
  /** Folder for everything that agents and checks print. */
  readonly spools?: string;
  /** Git remote that carries work between machines, if any. */
  readonly remote?: string;
  /** Reads what a run's journal records about its checkout. */
  readonly journaled?: NonNullable<GitWorkspaceOptions["journaled"]>;
};

/** Composes the parts without a run. Nothing is recorded. */
export async function createExecutionParts(project: Project, options: ExecutionOptions): Promise<ExecutionParts> {
  const base = await createExecutionBase(project, options);
  return { ...base, performer: createProjectExecutor(base, options) };
}

/** Parts that everything executed in one process shares. */
export type ExecutionBase = Omit<ExecutionParts, "performer"> & { readonly ports: PortBlocks };

export async function createExecutionBase(
  project: Project,
  options: Pick<ExecutionOptions, "sandbox" | "environment" | "remote" | "journaled">,
): Promise<ExecutionBase> {
  const { remote, journaled } = options;
  const shared = { ...(remote === undefined ? {} : { remote }), ...(journaled ? { journaled } : {}) };
  const { places } = project;
  const sandbox = await chooseSandbox(options.sandbox);
  await prepareRepository(places);
  const world = createRealWorld(addConfiguredValues(options.environment, process.env));
  const workspace = await gitWorkspace({ repo: places.top, cache: places.cache, ...shared });
  return {
    project,
    world,
    workspace,
    processes: createSupervisor({ world, sandbox }),
    sandbox,
    ports: createPortBlocks(),
  };
}

/** Creates an executor with these agents and limits. */
export function createProjectExecutor(base: ExecutionBase, options: ExecutionOptions): Executor {
  const { project, world, workspace, processes, sandbox, ports } = base;
  const { places, pipelines } = project;
  const definitions = createDefinitions({
    agents: options.agents,
    files: project.repositoryCode.agentFiles,
    patience: options.patience,
    record: options.record,
    mailbox: places.mailbox,
    contained: sandbox.confines.files,
  });
  const { cache, runs } = places;
  const known = pipelines.all.map(({ pipeline }) => pipeline);
  const agents = known.flatMap(({ roles }) => roles.map(({ name }) => options.agents(name)));
  // The paths are also set when the sandbox confines processes only; with no confinement there is no namespace either.
  const walls = sandbox.confines.processes ? { sandboxPaths: listSandboxPaths({ places, agents }) } : {};
  return createExecutor({
    workspace,
    processes,
    definitions,
    world,
    pipelines: pipelines.find,
    cache,
    runs,
    ports,
    scrub: createFileScrubber(addConfiguredValues(options.environment, process.env)),
    environment: resolveEnvironment(options.environment, process.env),
    mailbox: createFolderMailbox({ dir: places.mailbox, now: Date.now }),
    ...(options.spools === undefined ? {} : { spools: options.spools }),
    ...walls,
  });
}
