import type { Host } from "../ports/host.ts";
import type { JournalRecord } from "./record.ts";

/** Large enough to keep the number of queries low, small enough to read a run of any length in constant memory. */
const PAGE = 1_000;

/** Yields the journal up to its current end, page by page. */
export async function* readJournalPages(
  { page }: Pick<Host["journal"], "page">,
  run: string,
  from: { readonly after?: number; readonly most?: number } = {},
): AsyncGenerator<readonly JournalRecord[]> {
  const { most = PAGE } = from;
  let after = from.after ?? 0;
  for (;;) {
    const records = await page(run, { after, most });
    if (records.length > 0) yield records;
    if (records.length < most) return;
    after = records.at(-1)?.seq ?? after;
  }
}
