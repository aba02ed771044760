import { SignalboxError } from "../../core/failure/errors.ts";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { Host } from "../../core/ports/host.ts";
import { createRunView, type RunView } from "../../views/run-view.ts";

/** Folds a run's journal page by page. Values are the largest part of a journal and are never all in memory. */
export async function foldRun({ journal }: Pick<Host, "journal">, run: string): Promise<RunView> {
  const fold = createRunView();
  for await (const records of readJournalPages(journal, run)) for (const record of records) fold.take(record);
  return fold.view();
}

/** Folds a run, or returns the error if its journal is damaged. One damaged run must not hide the others. */
export async function foldRunOrDamage(host: Pick<Host, "journal">, run: string): Promise<RunView | SignalboxError> {
  try {
    return await foldRun(host, run);
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "JOURNAL_DAMAGED") return error;
    throw error;
  }
}
