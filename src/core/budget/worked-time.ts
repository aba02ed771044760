import type { JournalRecord } from "../journal/record.ts";

export type WorkedTime = { take(record: Pick<JournalRecord, "type" | "ts">): void; ms(): number };

/** How long engines have worked on a run, by the distance between their first and last records. */
export function createWorkedTime(): WorkedTime {
  let [total, latest] = [0, 0];
  let from: number | undefined;
  const sitting = () => (from === undefined ? 0 : latest - from);
  return {
    take({ type, ts }) {
      if (type === "engine.started") {
        total += sitting();
        from = ts;
      }
      latest = ts;
    },
    ms: () => total + sitting(),
  };
}
