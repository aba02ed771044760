import { relative } from "node:path";
import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { refuseCommittedPassword } from "../team/address.ts";
import { type Config, readConfig, TERMS, type Terms, validateConfig } from "./config.ts";
import { detectChecks } from "./detect-checks.ts";
import type { RepositoryPlaces } from "./repository.ts";
import { getUserConfigFile } from "./user-folders.ts";

/** Settings with their source. */
export type ConfigLayer = { readonly from: string; readonly config: Config };
/** Command-line flags in the form of a configuration. */
export type FlagSettings = Terms & Pick<Config, "sandbox" | "postgres">;

const DEFAULTS: ConfigLayer = {
  from: "default",
  config: { approvals: "interactive", "min-confidence": "medium", sandbox: "auto", protected: [] },
};

/**
 * Returns the layers of settings, nearest first: flags, environment, files, checks declared in the project's files,
 * defaults.
 */
export async function loadConfigLayers(
  places: RepositoryPlaces,
  flags: FlagSettings = {},
): Promise<readonly ConfigLayer[]> {
  const explicit = await loadExplicitLayers(places, flags);
  const detected = hasChecks(explicit) ? [] : toDetectedLayers(await detectChecks(places.top));
  return [...explicit, ...detected, DEFAULTS];
}

/** Returns only the explicit settings. The project's files are not searched for checks. */
export async function loadExplicitLayers(
  places: RepositoryPlaces,
  flags: FlagSettings = {},
): Promise<readonly ConfigLayer[]> {
  const own = [places.localConfig, places.config].flatMap((file) =>
    toFileLayers(places, file, readConfig(file, places.top)),
  );
  const user = getUserConfigFile();
  return [...readOutsideLayers(flags), ...own, ...toFileLayers(places, user, readConfig(user))];
}

/** Returns the settings that need no repository. */
export function readOutsideLayers(flags: FlagSettings): readonly ConfigLayer[] {
  return [...readFlagLayers(flags), ...readEnvironmentLayers(process.env)];
}

function readFlagLayers(flags: FlagSettings): readonly ConfigLayer[] {
  return Object.entries(flags).flatMap(([key, value]) =>
    value === undefined ? [] : [{ from: `--${key}`, config: validateConfig({ [key]: value }, `--${key}`) }],
  );
}

/** Maps variables to settings with a single value: SIGNALBOX_MAX_TIME is `max-time`. */
function readEnvironmentLayers(env: NodeJS.ProcessEnv): readonly ConfigLayer[] {
  return [...TERMS, "sandbox", "postgres", "remote"].flatMap((key) => {
    const name = `SIGNALBOX_${key.toUpperCase().replaceAll("-", "_")}`;
    const text = env[name];
    if (!text) return [];
    const value = NUMBERS.has(key) ? Number(text) : text;
    return [{ from: name, config: validateConfig({ [key]: value }, name) }];
  });
}

const NUMBERS: ReadonlySet<string> = new Set(["budget", "max-dispatches", "max-tokens"]);

function toFileLayers(places: RepositoryPlaces, file: string, config: Config | undefined): readonly ConfigLayer[] {
  const inside = relative(places.top, file);
  if (file === places.config) refuseCommittedPassword(config?.postgres, inside);
  return config ? [{ from: inside.startsWith("..") ? file : inside, config }] : [];
}

/** `commands: {}` means that there are no checks; `setup` alone leaves checks unspecified. */
function hasChecks(layers: readonly ConfigLayer[]): boolean {
  return layers.some(({ config: { commands } }) => {
    const names = commands && Object.keys(commands);
    return names !== undefined && (names.length === 0 || names.some((name) => name !== "setup"));
  });
}

/** Returns a command as it is configured: a line, or a line with its folder. */
export function toConfiguredCommand({ run, cwd }: Pick<DetectedProject["commands"][number], "run" | "cwd">) {
  return cwd === undefined ? run : { run, cwd };
}

function toDetectedLayers({ commands, setup }: DetectedProject): readonly ConfigLayer[] {
  const checks = commands.map(({ name, from, ...line }) => ({
    from,
    config: { commands: { [name]: toConfiguredCommand(line) } },
  }));
  if (!setup) return checks;
  const { run, lockFile } = setup;
  const prepare = lockFile === undefined ? run : { run, "lock-file": lockFile };
  return [...checks, { from: setup.from, config: validateConfig({ commands: { setup: prepare } }, setup.from) }];
}
