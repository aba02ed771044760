import type { JournalRecord } from "../../core/journal/record.ts";
import { type Around, UNSEEN } from "../../views/page/around.ts";
import type { Forecast, RunPage } from "../../views/page/page.ts";
import { createPageFold } from "../../views/page/page-fold.ts";
import { aroundRun, forecastFor } from "../runs/page/page-of-run.ts";
import type { RunStore } from "../runs/run-store.ts";

/** A run's page, kept up to the record and looked around for once in a while. */
export type PageFeed = {
  /** Each record once, however often it is heard. */
  take(record: JournalRecord): void;
  page(): RunPage;
  /** What no record says: who gives signs of life, which command runs. */
  look(): Promise<void>;
};

export function createPageFeed(store: RunStore, run: string): PageFeed {
  const fold = createPageFold();
  let around: Around = { ...UNSEEN, presence: { ...UNSEEN.presence, owned: true } };
  let seq = 0;
  /** Made when somebody asks, and kept until something changes. */
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
      made ??= fold.page(around);
      return made;
    },
    async look() {
      const row = await store.host.runs.get(run);
      if (!row) return;
      forecast ??= await forecastFor(store, row);
      around = await aroundRun(store, row, fold.view(), forecast);
      made = undefined;
    },
  };
}
