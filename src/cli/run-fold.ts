import { pagesOf } from "../core/journal-pages.ts";
import type { Host } from "../core/ports/host.ts";
import { createView, type ViewFold } from "../surfaces/terminal/run-view.ts";

/** All that was recorded of a run, taken in page by page: a run of any length is looked at in the same memory. */
export async function foldRun({ journal }: Pick<Host, "journal">, run: string): Promise<ViewFold> {
  const fold = createView();
  for await (const records of pagesOf(journal, run)) for (const record of records) fold.take(record);
  return fold;
}
