import type { JournalRecord } from "../../core/journal/record.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { RunView } from "../../views/run-view.ts";
import type { Call } from "../call.ts";
import { findRun } from "./find-run.ts";
import { foldRun } from "./fold-run.ts";
import { type RunStore, withRunStore } from "./run-store.ts";

/** A run of this repository with all of its records. */
export type RecordedRun = {
  readonly store: RunStore;
  readonly row: RunRow;
  readonly records: readonly JournalRecord[];
};

export async function withRun<T>(
  call: Call,
  asked: string | undefined,
  use: (found: RecordedRun) => Promise<T>,
): Promise<T> {
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, asked);
    await store.team?.bring(row.id);
    return use({ store, row, records: await store.host.journal.load(row.id) });
  });
}

/** A run of this repository with its folded view. */
export type ViewedRun = { readonly store: RunStore; readonly row: RunRow; readonly view: RunView };

export async function withView<T>(
  call: Call,
  asked: string | undefined,
  use: (found: ViewedRun) => Promise<T>,
): Promise<T> {
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, asked);
    await store.team?.bring(row.id);
    return use({ store, row, view: await foldRun(store.host, row.id) });
  });
}
