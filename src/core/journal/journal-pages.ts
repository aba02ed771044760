import type { Host } from "../ports/host.ts";
import type { JournalRecord } from "./record.ts";

/** Large enough that asking for it costs nothing, small enough that a run of any length is read in the same memory. */
const PAGE = 1_000;

/** The journal up to where it ends now, a page at a time. */
export async function* pagesOf(
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
