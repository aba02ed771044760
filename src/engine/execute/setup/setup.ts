import type { CheckedCommand, Command, SetupCommand } from "../../core/effect.ts";
import type { World } from "../../core/ports/world.ts";
import { entriesIn } from "./folder-entries.ts";
import { handOut, keep } from "./kept-setup.ts";
import { madeSince, seenIn } from "./made-paths.ts";
import { setupKey } from "./setup-key.ts";

type Preparation = {
  readonly dir: string;
  readonly home: string;
  readonly tree: string;
  readonly setup: SetupCommand;
  /** People committed this tree: what its set-up makes may serve other trees. */
  readonly keep: boolean;
  readonly cache: string;
  readonly runs: string;
  readonly world: World;
  run(command: Command): Promise<CheckedCommand>;
};

export type Prepared = {
  readonly failed?: CheckedCommand;
  /** What people should know of it. */
  readonly told?: string;
};

/**
 * Makes a fresh checkout ready for its checks. What a set-up put beside the files of a tree that people committed is
 * kept for checkouts in which it would read and run the very same; a copy each time, because a check may change what
 * it finds.
 */
export async function prepare(at: Preparation): Promise<Prepared> {
  const key = await setupKey(at);
  const handed = key === undefined ? undefined : await handOut({ ...at, key });
  if (handed?.as === "ready") return {};
  const told = handed?.because === undefined ? {} : { told: handed.because };
  const before = key !== undefined && at.keep ? await seenIn(at.dir) : undefined;
  const done = await at.run({ name: "set-up", run: at.setup.run });
  if (done.exitCode !== 0) return { failed: done, ...told };
  const made = before && (await madeSince(at.dir, before));
  if (key !== undefined && made && made.length > 0 && !(await needsHome(at.home))) await keep({ ...at, key }, made);
  return told;
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
