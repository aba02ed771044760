import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { Forecast, PageChange, RunPage } from "../../views/page/page.ts";
import { createPageFold } from "../../views/page/page-fold.ts";
import type { RunView } from "../../views/run-view.ts";
import { collectAround, forecastRun } from "../runs/page/run-page.ts";
import type { RunStore } from "../runs/run-store.ts";

/** Number of cached folds that are not followed, so that reopening a page is fast. */
const MOST_KEPT = 200;

/** A run with the store of its repository. */
export type LocatedRun = { readonly store: RunStore; readonly row: RunRow };

type Followed = {
  readonly store: RunStore;
  seq: number;
  readonly fold: ReturnType<typeof createPageFold>;
  forecast?: Promise<Forecast | null>;
};

/** Folds each run once for all viewers; only new records are read. */
export type FollowedRuns = {
  page(here: LocatedRun): Promise<RunPage>;
  view(here: LocatedRun): Promise<RunView>;
  changes(here: LocatedRun, after: number): Promise<PageChange>;
  /** Returns the head without the forecast, which would read other runs. */
  glance(here: LocatedRun): Promise<RunPage["head"]>;
  /** Calls back for every new record until the signal fires. */
  watch(here: LocatedRun, changed: () => void, signal: AbortSignal): Promise<void>;
};

export function createFollowedRuns(): FollowedRuns {
  const kept = new Map<string, Followed>();
  const getFollowed = (here: LocatedRun): Followed => {
    const found = kept.get(here.row.id);
    // A reopened database may differ, so its cached fold is discarded.
    const same = found?.store === here.store ? found : { store: here.store, seq: 0, fold: createPageFold() };
    kept.delete(here.row.id);
    kept.set(here.row.id, same);
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return same;
  };
  const readNewRecords = async (here: LocatedRun): Promise<Followed> => {
    const run = getFollowed(here);
    for await (const records of readJournalPages(here.store.host.journal, here.row.id, { after: run.seq })) {
      for (const record of records) {
        // A concurrent reader may have advanced it.
        if (record.seq <= run.seq) continue;
        run.seq = record.seq;
        run.fold.take(record);
      }
    }
    return run;
  };
  const loadAround = async (here: LocatedRun) => {
    const run = await readNewRecords(here);
    run.forecast ??= forecastRun(here.store, here.row);
    return { run, around: await collectAround(here.store, here.row, run.fold.view(), await run.forecast) };
  };
  return {
    async page(here) {
      const { run, around } = await loadAround(here);
      return run.fold.page(around);
    },
    async changes(here, after) {
      const { run, around } = await loadAround(here);
      return run.fold.changeAfter(after, around);
    },
    view: async (here) => (await readNewRecords(here)).fold.view(),
    async glance(here) {
      const run = await readNewRecords(here);
      // No rows follow the last record, so this returns the head alone.
      return run.fold.changeAfter(run.seq, await collectAround(here.store, here.row, run.fold.view(), null)).page.head;
    },
    async watch(here, changed, signal) {
      const { seq } = await readNewRecords(here);
      for await (const _ of here.store.host.journal.follow(here.row.id, seq, signal)) changed();
    },
  };
}
