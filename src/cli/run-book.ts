import type { RunRow } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";
import { type Book, withBook } from "./book.ts";
import type { Call } from "./call.ts";
import { findRun } from "./runs.ts";

/** One run of this repository, with all that was recorded of it. */
export type RunBook = { readonly book: Book; readonly row: RunRow; readonly records: readonly JournalRecord[] };

export async function withRun<T>(
  call: Call,
  asked: string | undefined,
  use: (found: RunBook) => Promise<T>,
): Promise<T> {
  return withBook(call, async (book) => {
    const row = await findRun(book.host, book.places.top, asked);
    return use({ book, row, records: await book.host.journal.load(row.id) });
  });
}
