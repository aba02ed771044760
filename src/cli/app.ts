import { SignalboxError } from "../core/errors.ts";
import type { Host } from "../core/ports/host.ts";
import type { Processes, ProcessLimits } from "../core/ports/processes.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import type { World } from "../core/ports/world.ts";
import type { WindowPolicy } from "../core/usage-window.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { createPerformer, type Performer } from "../engine/perform/performer.ts";
import { sqliteHost } from "../hosts/sqlite/host.ts";
import { ownerName } from "../hosts/sqlite/owner.ts";
import { sweepOrphans } from "../processes/orphans.ts";
import { portBlocks } from "../processes/port-blocks.ts";
import { chooseSandbox, type Sandbox, type SandboxMode } from "../processes/sandbox.ts";
import { supervisor } from "../processes/supervisor.ts";
import { gitWorkspace } from "../workspace/workspace.ts";
import type { Agents } from "./agents.ts";
import { orphansOf } from "./book.ts";
import { type Brought, broughtBy } from "./brought.ts";
import type { Call } from "./call.ts";
import { curesHere } from "./cures.ts";
import { definitionsOf } from "./definitions.ts";
import { refuseEmptied, refuseLost } from "./lost-runs.ts";
import { builtInPipelines, ownPipelines, type Registry, registryOf } from "./pipelines.ts";
import { placesOf, type RepositoryPlaces, settle } from "./repository.ts";
import { fileScrubber } from "./scrub-file.ts";
import { mayRun, requireTrust, type Trust, trustOf } from "./trust.ts";
import { type TrustStore, trustStore } from "./trust-store.ts";
import { wallsFor } from "./walls.ts";
import { realWorld } from "./world.ts";

/** A repository and what it brings; its own pipelines are among them where they may run. */
export type Project = {
  readonly places: RepositoryPlaces;
  readonly brought: Brought;
  readonly trust: Trust;
  readonly store: TrustStore;
  readonly pipelines: Registry;
};

export type TrustFlags = { readonly trust?: boolean; readonly run?: string };

/** To run something: asks for the yes where one is missing. */
export async function openProject(call: Call, flags: TrustFlags): Promise<Project> {
  const found = await findProject(call);
  const trust = await requireTrust(call, { ...found, flag: flags.trust, run: flags.run });
  return read(found, trust);
}

/** To look around: nothing of the repository runs without a yes, and nobody is asked for one. */
export async function lookAtProject(call: Call, flags: TrustFlags): Promise<Project> {
  const found = await findProject(call);
  return read(found, await trustOf({ ...found, flag: flags.trust }));
}

type Found = Omit<Project, "trust" | "pipelines">;

async function findProject(call: Call): Promise<Found> {
  const places = await placesOf(call.dir);
  return { places, brought: await broughtBy(places), store: trustStore(places.top, realWorld()) };
}

async function read(found: Found, trust: Trust): Promise<Project> {
  const { places, brought } = found;
  const own = mayRun(trust)
    ? await ownPipelines({ folder: places.pipelines, prints: brought.prints }, brought.pipelines)
    : [];
  const pipelines = registryOf([...(await builtInPipelines()), ...own]);
  return { ...found, trust, pipelines: mayRun(trust) ? pipelines : withoutOwn(pipelines, brought) };
}

/** A name that is not built in may be one of those that were not read. */
function withoutOwn(registry: Registry, { pipelines }: Brought): Registry {
  if (pipelines.length === 0) return registry;
  const get: Registry["get"] = (name) => {
    const found = registry.find(name);
    if (found) return found;
    throw new SignalboxError(
      "UNTRUSTED",
      `"${name}" is not built in, and the repository's own pipelines were not read: ${pipelines.join(", ")}.`,
      "If you trust them, say so once with `signalbox init`, or for this call with --trust.",
    );
  };
  return { ...registry, get };
}

/** What performs effects here. */
export type Hands = {
  readonly project: Project;
  readonly world: World;
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly performer: Performer;
  readonly sandbox: Sandbox;
};

/** Everything that a run needs, composed: the only place that knows all the parts. */
export type App = Omit<Hands, "performer"> & { readonly host: Host; readonly engine: Engine };

export type AppOptions = {
  readonly agents: Agents;
  /** A person is there to answer: open questions hold the run. */
  readonly waits: boolean;
  readonly sandbox: SandboxMode;
  readonly patience: ProcessLimits;
  readonly usageWindow: WindowPolicy;
  readonly record?: string | undefined;
};

export async function withApp<T>(project: Project, options: AppOptions, use: (app: App) => Promise<T>): Promise<T> {
  const { performer, ...hands } = await handsFor(project, options);
  const { world, workspace, sandbox } = hands;
  refuseEmptied(project.places);
  const host = sqliteHost({ file: project.places.database, world });
  const engine = createEngine({
    host,
    world,
    pipelines: project.pipelines.find,
    performer,
    owner: ownerName(),
    waits: options.waits,
    patient: false,
    sandbox: sandbox.summary,
    usageWindow: options.usageWindow,
    cures: (sick) => curesHere({ ...sick, workspace, world, places: project.places }),
  });
  try {
    await refuseLost(project.places, host);
    await host.serve(engine.handlers);
    await sweepOrphans(orphansOf(host), world);
    return await use({ ...hands, host, engine });
  } finally {
    await host.close();
    await performer.settled();
  }
}

export type HandsOptions = Pick<AppOptions, "agents" | "sandbox" | "patience" | "record">;

/** To perform something without a run: nothing is remembered of it. */
export async function handsFor(project: Project, options: HandsOptions): Promise<Hands> {
  const { places, pipelines } = project;
  const sandbox = await chooseSandbox(options.sandbox);
  await settle(
    places,
    pipelines.all.flatMap(({ pipeline }) => pipeline.excludes ?? []),
  );
  const world = realWorld();
  const workspace = await gitWorkspace({ repo: places.top, cache: places.cache });
  const processes = supervisor({ world, sandbox });
  const definitions = definitionsOf({
    agents: options.agents,
    files: project.brought.agentFiles,
    patience: options.patience,
    record: options.record,
    mailbox: places.mailbox,
    contained: sandbox.confines.files,
  });
  const { cache, runs } = places;
  const known = pipelines.all.map(({ pipeline }) => pipeline);
  const agents = known.flatMap(({ roles }) => roles.map(({ name }) => options.agents(name)));
  // Also where only processes can be held: what is not asked to be confined gets no namespace either.
  const walls = sandbox.confines.processes ? { walls: wallsFor({ places, agents }) } : {};
  const ports = portBlocks();
  const scrub = fileScrubber();
  const parts = {
    workspace,
    processes,
    definitions,
    world,
    pipelines: pipelines.find,
    cache,
    runs,
    ports,
    scrub,
    ...walls,
  };
  return { project, world, workspace, processes, performer: createPerformer(parts), sandbox };
}
