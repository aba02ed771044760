import { join } from "node:path";
import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { DisposableRun, GcResult, StorageSizes, Workspace } from "../../core/ports/workspace.ts";
import { getRunWork } from "../../views/unaccepted-work.ts";
import type { Call } from "../call.ts";
import { listCommits } from "../inspect/commit-trailer.ts";
import { formatBytes } from "../output/format-bytes.ts";
import { askConsent } from "../output/terminal-prompt.ts";
import { type AbandonedDispatches, findAbandonedDispatches } from "../runs/abandoned-dispatches.ts";
import { type CachedSetups, findCachedSetups, measureFolder } from "../runs/cached-setups.ts";
import { foldRunOrDamage } from "../runs/fold-run.ts";
import { type DiskUse, formatGcPlan } from "../runs/gc-plan.ts";
import { isOwned, type RunStore, withRunStore } from "../runs/run-store.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { getLeftWork } from "../runs/unaccepted-commit.ts";

export type GcFlags = {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly allSetups?: boolean;
  readonly shared?: boolean;
};

/** Shows what this repository's runs keep on disk and removes what a branch already contains. */
export async function collectGarbage(call: Call, flags: GcFlags): Promise<number> {
  return withRunStore(
    call,
    (store) => collectStore(call, store, flags),
    () => {
      if (call.json)
        call.emit({
          v: 1,
          dryRun: true,
          removed: [],
          kept: [],
          bytes: 0,
          runs: [],
          cache: 0,
          setups: 0,
          otherSetups: 0,
        });
      else call.print("No runs here, so there is nothing to remove.");
      return 0;
    },
  );
}

async function collectStore(call: Call, store: RunStore, flags: GcFlags): Promise<number> {
  const workspace = await openRunWorkspace(store);
  const rows = await store.host.runs.list();
  const runs = await listDisposableRuns(store, workspace, rows);
  const posted = await findAbandonedDispatches(store.places.mailbox, new Set(runs.map(({ run }) => run)));
  const { cache, own } = store.places;
  const setups = await findCachedSetups({ cache, own, all: flags.allSetups === true });
  const busy = rows.some((row) => isOwned(store, row));
  const shared = flags.shared === true;
  const collect = createCollector(workspace, runs, { posted, shared, setups: busy ? undefined : setups });
  const planned = await collect({ dryRun: true });
  const kept = {
    ...(await measureDiskUse(store, rows, await workspace.sizes())),
    setups: setups.bytes,
    otherSetups: setups.others,
  };
  if (!call.json) for (const line of formatGcPlan(call, kept, planned)) call.print(line);
  const goes = planned.removed.length > 0 && (await confirmRemoval(call, flags));
  const done = goes ? await collect({ dryRun: false }) : planned;
  const { attempts: _attempts, ...sizes } = kept;
  if (call.json) call.emit({ v: 1, dryRun: !goes, ...done, ...sizes });
  else call.print(goes ? `${call.paint.green("✓")} removed, ${formatBytes(done.bytes)} freed` : NOTHING);
  return 0;
}

type GcExtras = {
  readonly posted: AbandonedDispatches;
  readonly setups: CachedSetups | undefined;
  /** Also remove refs on the team's remote. */
  readonly shared: boolean;
};

/**
 * Returns a function that removes git objects of the runs, their mailbox entries and, if no run is active, installed
 * dependencies.
 */
function createCollector(workspace: Workspace, runs: readonly DisposableRun[], { posted, setups, shared }: GcExtras) {
  return async ({ dryRun }: { readonly dryRun: boolean }): Promise<GcResult> => {
    const collected = await workspace.gc({ runs, dryRun, shared });
    if (!dryRun) await posted.remove();
    if (!dryRun) await setups?.remove();
    const removed = [...collected.removed, ...posted.names, ...(setups?.names ?? [])];
    return { ...collected, removed, bytes: collected.bytes + (setups?.bytes ?? 0) };
  };
}

const NOTHING = "Nothing was removed.";

async function confirmRemoval(call: Call, flags: GcFlags): Promise<boolean> {
  if (flags.dryRun) return false;
  if (flags.yes) return true;
  if (call.terminal) return askConsent("Remove it?", { otherwise: false });
  throw new SignalboxError(
    "USAGE",
    "gc needs a confirmation, and there is no terminal.",
    "Add --yes, or preview with --dry-run.",
  );
}

async function listDisposableRuns(
  { host }: RunStore,
  workspace: Workspace,
  rows: readonly RunRow[],
): Promise<readonly DisposableRun[]> {
  const ended = rows.filter((row) => FINISHED.some((status) => status === row.status));
  const found = await Promise.all(
    ended.map(async ({ id: run }) => {
      const view = await foldRunOrDamage(host, run);
      // A damaged run keeps everything, because its needs cannot be determined.
      if (!("commits" in view)) return [];
      const work = getLeftWork(view);
      const taken = work && (await workspace.taken(run, work));
      const commit = taken ?? listCommits(view).at(-1);
      const tree = taken === undefined ? getRunWork(view).unaccepted?.tree : undefined;
      return [{ run, ...(commit === undefined ? {} : { commit }), ...(tree === undefined ? {} : { tree }) }];
    }),
  );
  return found.flat();
}

async function measureDiskUse(
  { places }: RunStore,
  rows: readonly RunRow[],
  sizes: StorageSizes,
): Promise<Omit<DiskUse, "setups" | "otherSetups">> {
  const runs = await Promise.all(
    rows.map(async ({ id: run, status }) => {
      const { refs = 0, bytes = 0 } = sizes.runs.find((each) => each.run === run) ?? {};
      return { run, status, refs, bytes, folder: await measureFolder(join(places.runs, run)) };
    }),
  );
  return { runs, cache: sizes.cache, attempts: sizes.attempts };
}
