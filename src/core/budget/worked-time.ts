import type { JournalRecord } from "../journal/record.ts";

export type WorkedTime = { take(record: Pick<JournalRecord, "type" | "ts">): void; ms(): number };

/** Measures how long engines have worked on a run, from the first to the last record of each engine. */
export function createWorkedTime(): WorkedTime {
  let [total, latest] = [0, 0];
  let from: number | undefined;
  const measureCurrentEngine = () => (from === undefined ? 0 : latest - from);
  return {
    take({ type, ts }) {
      if (type === "engine.started") {
        total += measureCurrentEngine();
        from = ts;
      }
      latest = ts;
    },
    ms: () => total + measureCurrentEngine(),
  };
}
