import { SignalboxError } from "../../core/failure/errors.ts";
import { loadOwnDrivers, type OwnDrivers } from "../agents/own-drivers.ts";
import type { Call } from "../call.ts";
import {
  createPipelineRegistry,
  loadBuiltInPipelines,
  loadOwnPipelines,
  type PipelineRegistry,
  type PipelineSource,
} from "../pipelines/pipelines.ts";
import { createRealWorld } from "../real-world.ts";
import { guardModules } from "../trust/guard-modules.ts";
import { getOwnFolders } from "../trust/own-modules.ts";
import { type RepositoryCode, readRepositoryCode } from "../trust/repository-code.ts";
import { checkTrust, mayRun, requireTrust, type Trust } from "../trust/trust.ts";
import { createTrustStore, type TrustStore } from "../trust/trust-store.ts";
import { type RepositoryPlaces, resolvePlaces } from "./repository.ts";

/** A repository and its code. Its own pipelines and drivers are included only if it is trusted. */
export type Project = {
  readonly places: RepositoryPlaces;
  readonly repositoryCode: RepositoryCode;
  readonly trust: Trust;
  readonly store: TrustStore;
  readonly pipelines: PipelineRegistry;
  readonly drivers: OwnDrivers;
};

export type OpenFlags = {
  readonly trust?: boolean;
  readonly run?: string;
  /** The only pipeline needed; no other built-in one is loaded. */
  readonly pipeline?: string;
};

/** Opens the project to run something. Asks for trust if it is missing. */
export async function openProject(call: Call, flags: OpenFlags): Promise<Project> {
  const found = await findProject(call);
  const trust = await requireTrust(call, { ...found, flag: flags.trust, run: flags.run });
  return loadProject(found, trust, flags.pipeline);
}

/** Opens the project for reading. Untrusted code does not run, and no question is asked. */
export async function inspectProject(call: Call, flags: OpenFlags): Promise<Project> {
  const found = await findProject(call);
  return loadProject(found, await checkTrust({ ...found, flag: flags.trust }), flags.pipeline);
}

/** Opens the project with a trust decision made by the caller, such as a team worker. */
export async function openProjectWith(call: Call, decide: (found: FoundProject) => Promise<Trust>): Promise<Project> {
  const found = await findProject(call);
  return loadProject(found, await decide(found), undefined);
}

export type FoundProject = Omit<Project, "trust" | "pipelines" | "drivers">;

async function findProject(call: Call): Promise<FoundProject> {
  const places = await resolvePlaces(call.dir);
  return {
    places,
    repositoryCode: await readRepositoryCode(places),
    store: createTrustStore(places.top, createRealWorld()),
  };
}

async function loadProject(found: FoundProject, trust: Trust, only: string | undefined): Promise<Project> {
  const { places, repositoryCode } = found;
  const loadBuiltIn = (own: readonly PipelineSource[]) => {
    if (only === undefined) return loadBuiltInPipelines();
    return loadBuiltInPipelines(own.some(({ pipeline }) => pipeline.name === only) ? [] : [only]);
  };
  if (!mayRun(trust)) {
    const pipelines = explainUnloaded(createPipelineRegistry(await loadBuiltIn([])), repositoryCode);
    return { ...found, trust, pipelines, drivers: { all: [], unread: repositoryCode.drivers, broken: [] } };
  }
  const folders = getOwnFolders(places);
  if (repositoryCode.pipelines.length + repositoryCode.drivers.length > 0)
    guardModules(Object.values(folders), repositoryCode.prints);
  const own = await loadOwnPipelines(folders.pipelines, repositoryCode.pipelines);
  const pipelines = createPipelineRegistry([...(await loadBuiltIn(own.all)), ...own.all], own.broken);
  return { ...found, trust, pipelines, drivers: await loadOwnDrivers(folders.drivers, repositoryCode.drivers) };
}

/** An unknown name may belong to a pipeline that was not loaded because the repository is not trusted. */
function explainUnloaded(registry: PipelineRegistry, { pipelines }: RepositoryCode): PipelineRegistry {
  if (pipelines.length === 0) return registry;
  const get: PipelineRegistry["get"] = (name) => {
    const found = registry.find(name);
    if (found) return found;
    throw new SignalboxError(
      "UNTRUSTED",
      `"${name}" is not built in, and the repository's own pipelines were not loaded: ${pipelines.join(", ")}.`,
      "To trust them, run `signalbox init`, or pass --trust for this call.",
    );
  };
  return { ...registry, get };
}
