import { type SetupPart, splitSetup } from "../../../core/checks/setup/setup-parts.ts";
import type { CheckedCommand, Command, SetupCommand } from "../../../core/journal/effect.ts";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import type { World } from "../../../core/ports/world.ts";
import { listMadePaths, readPathStamps } from "../checks/path-stamps.ts";
import { copyCachedSetup, storeSetup } from "./cached-setup.ts";
import { listFolderEntries } from "./folder-entries.ts";
import { computeSetupKey } from "./setup-key.ts";

type SetupOrder = {
  readonly dir: string;
  readonly folder?: Pick<WorkFolder, "place">;
  readonly home: string;
  readonly tree: string;
  readonly setup: SetupCommand;
  /** True if people committed this tree: its set-up may serve other trees. */
  readonly keep: boolean;
  /** Variables of the configuration; other values may give another set-up. */
  readonly given?: Readonly<Record<string, string>>;
  readonly cache: string;
  readonly runs: string;
  readonly world: World;
  run(command: Command): Promise<CheckedCommand>;
};

export type SetupResult = {
  readonly failed?: CheckedCommand;
  /** The parts that failed, if others have not. */
  readonly lacking?: readonly FailedPart[];
  /** A note for people. */
  readonly told?: string;
};

export type FailedPart = { readonly part: SetupPart; readonly done: CheckedCommand };

/**
 * Prepares a fresh checkout for its checks. What a set-up created for a tree that people committed is cached for
 * checkouts in which it would read and run the same. Each checkout gets a copy, because a check may change it.
 * @rule A-31 (policy) A cached set-up is immutable and keyed by all that it read and ran of the tree; none is filled
 *   from a tree that an agent of the run wrote.
 */
export async function runSetup(at: SetupOrder): Promise<SetupResult> {
  const key = await computeSetupKey(at);
  const handed = key === undefined ? undefined : await copyCachedSetup({ ...at, key });
  if (handed?.as === "ready") return {};
  const told = handed?.because === undefined ? {} : { told: handed.because };
  const before = key !== undefined && at.keep ? await readPathStamps(at.dir) : undefined;
  const done = await at.run({ name: "set-up", run: at.setup.run });
  if (done.exitCode !== 0) return { ...(await tryParts(at, done)), ...told };
  const made = before && (await listMadePaths(at.dir, before));
  if (key !== undefined && made && made.length > 0 && !(await needsHome(at.home)))
    await storeSetup({ ...at, key }, made);
  return told;
}

/** Tries each part of a failed set-up, so that checks which need only another part can run. */
async function tryParts(at: SetupOrder, failed: CheckedCommand): Promise<SetupResult> {
  const parts = splitSetup(at.setup.run);
  const tried: FailedPart[] = [];
  for (const [index, part] of parts.entries())
    tried.push({ part, done: await at.run({ name: `set-up ${index + 1}`, run: part.run }) });
  const lacking = tried.filter(({ done }) => done.exitCode !== 0);
  if (lacking.length === parts.length) return { failed };
  // All of them may succeed the second time: then nothing is lacking.
  return lacking.length > 0 ? { lacking } : {};
}

/** Paths that package managers leave in a home only as a cache. */
const CACHES: ReadonlySet<string> = new Set([
  ...[".npm", ".config", ".yarn", ".bun", ".node-gyp", "node-compile-cache"],
  ...["pip", "yarn", "node", "node-gyp", "pnpm"].map((name) => `.cache/${name}`),
  ...[".local/share/pnpm", ".local/state/pnpm"],
]);

/** The home is discarded, so a set-up that put modules or browsers there has to run each time. */
async function needsHome(home: string): Promise<boolean> {
  const left = await listFolderEntries(home, (path) => !CACHES.has(path));
  return [...left.values()].some((kind) => kind !== "folder");
}
