import { SignalboxError } from "../../core/failure/errors.ts";
import { type OwnDrivers, ownDrivers } from "../agents/own-drivers.ts";
import type { Call } from "../call.ts";
import {
  builtInPipelines,
  ownPipelines,
  type PipelineSource,
  type Registry,
  registryOf,
} from "../pipelines/pipelines.ts";
import { createRealWorld } from "../real-world.ts";
import { ownFolders } from "../trust/own-modules.ts";
import { guardModules } from "../trust/pipeline-modules.ts";
import { type RepositoryCode, readRepositoryCode } from "../trust/repository-code.ts";
import { mayRun, requireTrust, type Trust, trustOf } from "../trust/trust.ts";
import { type TrustStore, trustStore } from "../trust/trust-store.ts";
import { placesOf, type RepositoryPlaces } from "./repository.ts";

/** A repository and its code. Its own pipelines and drivers are included only if it is trusted. */
export type Project = {
  readonly places: RepositoryPlaces;
  readonly repositoryCode: RepositoryCode;
  readonly trust: Trust;
  readonly store: TrustStore;
  readonly pipelines: Registry;
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
export async function lookAtProject(call: Call, flags: OpenFlags): Promise<Project> {
  const found = await findProject(call);
  return loadProject(found, await trustOf({ ...found, flag: flags.trust }), flags.pipeline);
}

/** Opens the project with a trust decision made by the caller, such as a team worker. */
export async function openProjectBy(call: Call, decide: (found: Found) => Promise<Trust>): Promise<Project> {
  const found = await findProject(call);
  return loadProject(found, await decide(found), undefined);
}

export type Found = Omit<Project, "trust" | "pipelines" | "drivers">;

async function findProject(call: Call): Promise<Found> {
  const places = await placesOf(call.dir);
  return { places, repositoryCode: await readRepositoryCode(places), store: trustStore(places.top, createRealWorld()) };
}

async function loadProject(found: Found, trust: Trust, only: string | undefined): Promise<Project> {
  const { places, repositoryCode } = found;
  const loadBuiltIn = (own: readonly PipelineSource[]) => {
    if (only === undefined) return builtInPipelines();
    return builtInPipelines(own.some(({ pipeline }) => pipeline.name === only) ? [] : [only]);
  };
  if (!mayRun(trust)) {
    const pipelines = explainUnloaded(registryOf(await loadBuiltIn([])), repositoryCode);
    return { ...found, trust, pipelines, drivers: { all: [], unread: repositoryCode.drivers, broken: [] } };
  }
  const folders = ownFolders(places);
  if (repositoryCode.pipelines.length + repositoryCode.drivers.length > 0)
    guardModules(Object.values(folders), repositoryCode.prints);
  const own = await ownPipelines(folders.pipelines, repositoryCode.pipelines);
  const pipelines = registryOf([...(await loadBuiltIn(own.all)), ...own.all], own.broken);
  return { ...found, trust, pipelines, drivers: await ownDrivers(folders.drivers, repositoryCode.drivers) };
}

/** An unknown name may belong to a pipeline that was not loaded because the repository is not trusted. */
function explainUnloaded(registry: Registry, { pipelines }: RepositoryCode): Registry {
  if (pipelines.length === 0) return registry;
  const get: Registry["get"] = (name) => {
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
