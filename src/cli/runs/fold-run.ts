import { SignalboxError } from "../../core/failure/errors.ts";
import { pagesOf } from "../../core/journal/journal-pages.ts";
import type { Host } from "../../core/ports/host.ts";
import { createView, type RunView } from "../../views/run-view.ts";

/** All that was recorded of a run, taken in page by page: its values, the most of a journal, are never held together. */
export async function foldRun({ journal }: Pick<Host, "journal">, run: string): Promise<RunView> {
  const fold = createView();
  for await (const records of pagesOf(journal, run)) for (const record of records) fold.take(record);
  return fold.view();
}

/** The same for somebody who looks at all runs: one that was damaged from outside hides no other. */
export async function foldRunOrDamage(host: Pick<Host, "journal">, run: string): Promise<RunView | SignalboxError> {
  try {
    return await foldRun(host, run);
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "JOURNAL_DAMAGED") return error;
    throw error;
  }
}
