import type { JournalRecord } from "../../core/journal/record.ts";
import { createNarrator } from "../../surfaces/terminal/narrator.ts";
import type { RunView } from "../../views/run-view.ts";
import type { Call } from "../call.ts";
import { toEvent } from "../runs/run-store.ts";

type RunPrinter = {
  recall(record: JournalRecord): void;
  tell(record: JournalRecord): void;
  seq(): number;
  view(): RunView;
};

/** Prints each record once, in the requested format. */
export function createRunPrinter(call: Call, startedWith: readonly string[]): RunPrinter {
  const narrator = createNarrator(call.paint, startedWith);
  let seq = 0;
  return {
    seq: () => seq,
    view: narrator.view,
    recall(record) {
      seq = record.seq;
      if (!call.json) narrator.recall(record);
    },
    tell(record) {
      if (record.seq <= seq) return;
      seq = record.seq;
      if (call.json) call.emit(toEvent(record));
      else for (const line of narrator.tell(record)) call.print(line);
    },
  };
}
