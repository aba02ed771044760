import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { type AgentFile, readAgentFiles } from "../agents/agent-files.ts";
import { markAgentSets } from "../agents/agent-sets.ts";
import { describeAddress } from "../notify/targets.ts";
import { type Config, readConfig } from "../project/config.ts";
import { formatEnvironment, mergeEnvironmentRules } from "../project/environment.ts";
import { listGitLines, type RepositoryPlaces } from "../project/repository.ts";
import { hashBytes } from "./guard-modules.ts";
import { getOwnFolders, listModuleFiles } from "./own-modules.ts";
import { readRepositoryCommands } from "./repository-commands.ts";

/** Executable content of a repository: configuration, pipelines, drivers, agent definitions, set-up and checks. */
export type RepositoryCode = {
  /** Hash of all of it; changes with every byte. */
  readonly hash: string;
  /** Hash without set-up and checks, which a run keeps from its start. */
  readonly filesHash: string;
  /** Hash of the committed part, which is equal in every clone of the same content. */
  readonly sharedHash: string;
  /** Hashes of the files by absolute path. */
  readonly prints: ReadonlyMap<string, string>;
  /** Paths from the top of the checkout; empty if the repository has no such files. */
  readonly files: readonly string[];
  /** Number of set-up and check commands from any source. */
  readonly commands: number;
  /** Description of what would run, one line each. */
  readonly shown: readonly string[];
  readonly pipelines: readonly string[];
  readonly drivers: readonly string[];
  readonly agentFiles: readonly AgentFile[];
};

export async function readRepositoryCode(places: RepositoryPlaces): Promise<RepositoryCode> {
  const configs = [places.config, places.localConfig].filter((file) => existsSync(file));
  const pipelines = await listModuleFiles(places.pipelines);
  const drivers = await listModuleFiles(places.drivers);
  const agentFiles = await markAgentSets(await readAgentFiles(places.top));
  // A module may import any file beside it.
  const beside = [
    ...(pipelines.length === 0 ? [] : await listFilesBelow(places.pipelines)),
    ...(drivers.length === 0 ? [] : await listFilesBelow(places.drivers)),
  ];
  const state = await listTrackedState(places);
  const files = [...configs, ...beside, ...state, ...agentFiles.map(({ path }) => join(places.top, path))];
  const commands = await readRepositoryCommands(places);
  const own = getOwnFolders(places);
  const shown = [
    ...commands.shown,
    ...configs.flatMap((file) => formatConfigFile(places.top, file)),
    ...pipelines.map((file) => `pipeline ${own.pipelines.name}/${file}`),
    ...drivers.map((file) => `driver ${own.drivers.name}/${file}`),
    ...state.map((file) => `state ${relative(places.top, file)} (committed; a resumed run would use it)`),
    ...agentFiles.map(({ path, names }) => `agent file ${path} (role ${names.join(" or ")})`),
  ];
  const named = files.map((file) => relative(places.top, file)).sort();
  const prints = hashFiles(places.top, named);
  const filesHash = hashBytes(JSON.stringify(prints));
  return {
    hash: hashBytes(JSON.stringify([filesHash, commands.print])),
    filesHash,
    sharedHash: hashBytes(JSON.stringify(prints.filter(([file]) => file !== relative(places.top, places.localConfig)))),
    commands: commands.count,
    prints: new Map(prints.map(([file, print]) => [join(places.top, file), print])),
    files: named,
    shown: shown.map((line) => toOneLine(line, 400)),
    pipelines,
    drivers,
    agentFiles,
  };
}

/** Size limit; the files may include a committed database of runs. */
const MAX_CODE_BYTES = 1024 ** 3;

/** Lists committed run state. Runs belong to this machine; state from git is somebody else's instructions. */
async function listTrackedState({
  top,
  own,
  config,
  pipelines,
  drivers,
}: RepositoryPlaces): Promise<readonly string[]> {
  if (!existsSync(own)) return [];
  const tracked = await listGitLines(top, ["ls-files", "-z", "--", ".signalbox"]);
  return tracked
    .map((path) => join(top, path))
    .filter((file) => file !== config && ![pipelines, drivers].some((folder) => file.startsWith(`${folder}/`)))
    .filter((file) => existsSync(file));
}

async function listFilesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

function hashFiles(top: string, files: readonly string[]): readonly (readonly [string, string])[] {
  // A file that cannot be read cannot be executed either.
  return files.map((file) => {
    const read = readThroughLinks(join(top, file), MAX_CODE_BYTES);
    return [file, hashBytes(read.ok ? read.bytes : "")] as const;
  });
}

function formatConfigFile(top: string, file: string): readonly string[] {
  const config = readConfig(file, top);
  const lines = config ? formatConfig(config) : [];
  return lines.length > 0 || config?.commands ? lines : [`settings ${relative(top, file)}`];
}

function formatConfig({
  agents = {},
  drivers = {},
  environment,
  sandbox,
  approvals,
  notify,
  telemetry,
}: Config): readonly string[] {
  return [
    ...formatEnvironment(mergeEnvironmentRules([environment])).map((line) => `environment ${line}`),
    ...Object.entries(agents).map(([role, { driver, argv = [] }]) => `agent ${role}: ${[driver, ...argv].join(" ")}`),
    ...Object.entries(drivers).map(([name, settings]) => `driver ${name}: ${JSON.stringify(settings)}`),
    ...(sandbox ? [`sandbox ${sandbox}`] : []),
    ...(approvals ? [`approvals ${approvals}`] : []),
    ...(notify?.webhooks ?? []).map((webhook) => `notify ${describeAddress(webhook)}`),
    ...formatTelemetry(telemetry),
  ];
}

function formatTelemetry(telemetry: Config["telemetry"]): readonly string[] {
  if (typeof telemetry === "object") return [`telemetry to ${URL.parse(telemetry.otlp)?.host ?? "?"}`];
  return telemetry === true || telemetry === "on" ? ["telemetry to OTEL_EXPORTER_OTLP_ENDPOINT"] : [];
}
