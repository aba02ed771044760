import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import { pauseRun } from "../runs/control/pause-run.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";
import { getPersonName } from "../team/person.ts";

export async function pauseAndPrint(
  call: Call,
  runRef: string | undefined,
  flags: { readonly note?: string },
): Promise<number> {
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, runRef);
    const note = flags.note === undefined ? {} : { note: flags.note };
    const { status, reason } = await pauseRun(store, row, { by: getPersonName(store), ...note });
    if (call.json) call.emit({ v: 1, run: row.id, status, reason });
    else
      for (const line of [`${row.id} ${status}: ${toOneLine(reason)}`, `signalbox resume ${row.id}`]) call.print(line);
    return 0;
  });
}
