import { relative } from "node:path";
import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { refuseCommittedPassword } from "../team/address.ts";
import { type Config, configFrom, readConfig, TERMS, type Terms } from "./config.ts";
import { detectedIn } from "./detect-checks.ts";
import type { RepositoryPlaces } from "./repository.ts";
import { userConfigFile } from "./user-places.ts";

/** Settings with their source. */
export type Layer = { readonly from: string; readonly config: Config };
/** Command-line flags in the form of a configuration. */
export type FlagTerms = Terms & Pick<Config, "sandbox" | "postgres">;

const DEFAULTS: Layer = {
  from: "default",
  config: { approvals: "interactive", "min-confidence": "medium", sandbox: "auto", protected: [] },
};

/**
 * Returns the layers of settings, nearest first: flags, environment, files, checks declared in the project's files,
 * defaults.
 */
export async function layersOf(places: RepositoryPlaces, flags: FlagTerms = {}): Promise<readonly Layer[]> {
  const explicit = await saidLayers(places, flags);
  const detected = hasChecks(explicit) ? [] : toDetectedLayers(await detectedIn(places.top));
  return [...explicit, ...detected, DEFAULTS];
}

/** Returns only the explicit settings. The project's files are not searched for checks. */
export async function saidLayers(places: RepositoryPlaces, flags: FlagTerms = {}): Promise<readonly Layer[]> {
  const own = [places.localConfig, places.config].flatMap((file) =>
    toFileLayers(places, file, readConfig(file, places.top)),
  );
  const user = userConfigFile();
  return [...saidOutside(flags), ...own, ...toFileLayers(places, user, readConfig(user))];
}

/** Returns the settings that need no repository. */
export function saidOutside(flags: FlagTerms): readonly Layer[] {
  return [...readFlagLayers(flags), ...readEnvironmentLayers(process.env)];
}

function readFlagLayers(flags: FlagTerms): readonly Layer[] {
  return Object.entries(flags).flatMap(([key, value]) =>
    value === undefined ? [] : [{ from: `--${key}`, config: configFrom({ [key]: value }, `--${key}`) }],
  );
}

/** Maps variables to settings with a single value: SIGNALBOX_MAX_TIME is `max-time`. */
function readEnvironmentLayers(env: NodeJS.ProcessEnv): readonly Layer[] {
  return [...TERMS, "sandbox", "postgres", "remote"].flatMap((key) => {
    const name = `SIGNALBOX_${key.toUpperCase().replaceAll("-", "_")}`;
    const text = env[name];
    if (!text) return [];
    const value = NUMBERS.has(key) ? Number(text) : text;
    return [{ from: name, config: configFrom({ [key]: value }, name) }];
  });
}

const NUMBERS: ReadonlySet<string> = new Set(["budget", "max-dispatches", "max-tokens"]);

function toFileLayers(places: RepositoryPlaces, file: string, config: Config | undefined): readonly Layer[] {
  const inside = relative(places.top, file);
  if (file === places.config) refuseCommittedPassword(config?.postgres, inside);
  return config ? [{ from: inside.startsWith("..") ? file : inside, config }] : [];
}

/** `commands: {}` means that there are no checks; `setup` alone leaves checks unspecified. */
function hasChecks(layers: readonly Layer[]): boolean {
  return layers.some(({ config: { commands } }) => {
    const names = commands && Object.keys(commands);
    return names !== undefined && (names.length === 0 || names.some((name) => name !== "setup"));
  });
}

/** Returns a command as it is configured: a line, or a line with its folder. */
export function said({ run, cwd }: Pick<DetectedProject["commands"][number], "run" | "cwd">) {
  return cwd === undefined ? run : { run, cwd };
}

function toDetectedLayers({ commands, setup }: DetectedProject): readonly Layer[] {
  const checks = commands.map(({ name, from, ...line }) => ({ from, config: { commands: { [name]: said(line) } } }));
  if (!setup) return checks;
  const { run, lockFile } = setup;
  const prepare = lockFile === undefined ? run : { run, "lock-file": lockFile };
  return [...checks, { from: setup.from, config: configFrom({ commands: { setup: prepare } }, setup.from) }];
}
