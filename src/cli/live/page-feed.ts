import type { JournalRecord } from "../../core/journal/record.ts";
import { type LiveState, NO_LIVE_STATE } from "../../views/page/live-state.ts";
import type { Forecast, RunPage } from "../../views/page/page.ts";
import { createPageFold } from "../../views/page/page-fold.ts";
import { collectAround, forecastRun } from "../runs/page/run-page.ts";
import type { RunStore } from "../runs/run-store.ts";

/** Keeps a run's page up to date with its records, and refreshes the rest on request. */
export type PageFeed = {
  /** Applies a record. Records already applied are ignored. */
  take(record: JournalRecord): void;
  page(): RunPage;
  /** Refreshes what no record says: which agents show activity, which command runs. */
  look(): Promise<void>;
};

export function createPageFeed(store: RunStore, run: string): PageFeed {
  const fold = createPageFold();
  let surroundings: LiveState = { ...NO_LIVE_STATE, presence: { ...NO_LIVE_STATE.presence, owned: true } };
  let seq = 0;
  /** Cached page; undefined after a change. */
  let made: RunPage | undefined;
  let forecast: Forecast | null | undefined;
  return {
    take(record) {
      if (record.seq <= seq) return;
      seq = record.seq;
      fold.take(record);
      made = undefined;
    },
    page() {
      made ??= fold.page(surroundings);
      return made;
    },
    async look() {
      const row = await store.host.runs.get(run);
      if (!row) return;
      forecast ??= await forecastRun(store, row);
      surroundings = await collectAround(store, row, fold.view(), forecast);
      made = undefined;
    },
  };
}
