import { readThroughLinks } from "../../node/checkout-file.ts";
import type { Call } from "../call.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { getUserConfigFile } from "../project/user-folders.ts";
import { OFF } from "./config.ts";
import type { SharedRepository } from "./repository-name.ts";

/** The database with the team's runs of this repository, and the remote that transfers their work. */
export type Team = SharedRepository & {
  readonly url: string;
  /** Roles that may answer questions. If missing, every role with write access may. */
  readonly approvers?: readonly string[];
};

/** Returns undefined if the runs are stored on this machine. */
export async function resolveTeam(call: Pick<Call, "postgres">, places: RepositoryPlaces): Promise<Team | undefined> {
  const url = await resolvePostgres(call, places);
  if (url === undefined) return undefined;
  const { loadExplicitLayers } = await import("../project/config-sources.ts");
  const { resolveSharedRepository } = await import("./repository-name.ts");
  const layers = await loadExplicitLayers(places);
  const remote = layers.find(({ config }) => config.remote !== undefined)?.config.remote;
  const approvers = layers.find(({ config }) => config.team?.approvers !== undefined)?.config.team?.approvers;
  return { url, ...(await resolveSharedRepository(places.top, remote)), ...(approvers ? { approvers } : {}) };
}

/** Returns the address of the team's store from the nearest layer that sets it. */
export async function resolvePostgres(
  { postgres }: Pick<Call, "postgres">,
  places: RepositoryPlaces | undefined,
): Promise<string | undefined> {
  const env = process.env["SIGNALBOX_POSTGRES"];
  if (!postgres && !env && !(places && hasPostgresSetting(places))) return undefined;
  const { loadExplicitLayers, readOutsideLayers } = await import("../project/config-sources.ts");
  const flags = postgres ? { postgres } : {};
  const layers = places ? await loadExplicitLayers(places, flags) : readOutsideLayers(flags);
  const url = layers.find(({ config }) => config.postgres !== undefined)?.config.postgres;
  return url === OFF ? undefined : url;
}

/** Skips parsing the settings if no file mentions Postgres. Most repositories have no team. */
function hasPostgresSetting({ localConfig, config }: RepositoryPlaces): boolean {
  return [localConfig, config, getUserConfigFile()].some((file) => {
    const read = readThroughLinks(file);
    return read.ok && read.text.includes("postgres");
  });
}
