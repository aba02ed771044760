import { type SetupPart, setupParts } from "../../../core/checks/setup/setup-parts.ts";
import type { CheckedCommand, Command, SetupCommand } from "../../../core/journal/effect.ts";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import type { World } from "../../../core/ports/world.ts";
import { madeSince, pathStampsIn } from "../checks/made-paths.ts";
import { entriesIn } from "./folder-entries.ts";
import { handOut, keep } from "./kept-setup.ts";
import { setupKey } from "./setup-key.ts";

type Preparation = {
  readonly dir: string;
  readonly folder?: Pick<WorkFolder, "place">;
  readonly home: string;
  readonly tree: string;
  readonly setup: SetupCommand;
  /** People committed this tree: what its set-up makes may serve other trees. */
  readonly keep: boolean;
  /** Variables of the configuration: with others it may make something else. */
  readonly given?: Readonly<Record<string, string>>;
  readonly cache: string;
  readonly runs: string;
  readonly world: World;
  run(command: Command): Promise<CheckedCommand>;
};

export type SetupResult = {
  readonly failed?: CheckedCommand;
  /** The parts of it that failed, where others have not. */
  readonly lacking?: readonly LackingPart[];
  /** What people should know of it. */
  readonly told?: string;
};

export type LackingPart = { readonly part: SetupPart; readonly done: CheckedCommand };

/**
 * Makes a fresh checkout ready for its checks. What a set-up put beside the files of a tree that people committed is
 * kept for checkouts in which it would read and run the very same; a copy each time, because a check may change what
 * it finds.
 * @rule A-31 (policy) A kept set-up is immutable and keyed by all that it read and ran of the tree; none is filled from
 *   a tree that an agent of the run wrote.
 */
export async function prepare(at: Preparation): Promise<SetupResult> {
  const key = await setupKey(at);
  const handed = key === undefined ? undefined : await handOut({ ...at, key });
  if (handed?.as === "ready") return {};
  const told = handed?.because === undefined ? {} : { told: handed.because };
  const before = key !== undefined && at.keep ? await pathStampsIn(at.dir) : undefined;
  const done = await at.run({ name: "set-up", run: at.setup.run });
  if (done.exitCode !== 0) return { ...(await byParts(at, done)), ...told };
  const made = before && (await madeSince(at.dir, before));
  if (key !== undefined && made && made.length > 0 && !(await needsHome(at.home))) await keep({ ...at, key }, made);
  return told;
}

/** One part that fails keeps those behind it from being tried: each is, so that what needs only another one can run. */
async function byParts(at: Preparation, failed: CheckedCommand): Promise<SetupResult> {
  const parts = setupParts(at.setup.run);
  const tried: LackingPart[] = [];
  for (const [index, part] of parts.entries())
    tried.push({ part, done: await at.run({ name: `set-up ${index + 1}`, run: part.run }) });
  const lacking = tried.filter(({ done }) => done.exitCode !== 0);
  if (lacking.length === parts.length) return { failed };
  // All of them may have gone well the second time: then nothing is lacking.
  return lacking.length > 0 ? { lacking } : {};
}

/** What package managers leave in a home only to be quicker next time. */
const CACHES: ReadonlySet<string> = new Set([
  ...[".npm", ".config", ".yarn", ".bun", ".node-gyp", "node-compile-cache"],
  ...["pip", "yarn", "node", "node-gyp", "pnpm"].map((name) => `.cache/${name}`),
  ...[".local/share/pnpm", ".local/state/pnpm"],
]);

/** The home is thrown away: a set-up that put modules or browsers there has to be made each time. */
async function needsHome(home: string): Promise<boolean> {
  const left = await entriesIn(home, (path) => !CACHES.has(path));
  return [...left.values()].some((kind) => kind !== "folder");
}
