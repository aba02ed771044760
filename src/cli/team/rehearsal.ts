import type { Host, StampedRecord } from "../../core/ports/host.ts";
import { isOwned } from "../runs/run-store.ts";
import type { TeamRunStore } from "./team-store.ts";

type Rehearsal = {
  readonly host: Host;
  /** Stores the rehearsed end of the run. Returns false if another engine owns the run by now. */
  store(run: string): Promise<boolean>;
  /** Returns true if the record comes from this rehearsal. */
  wrote(record: Pick<StampedRecord, "chain">): boolean;
};

/**
 * Wraps a team's store for canceling a run without an engine. A person may not append records, so they are collected
 * and passed to the database at once, which accepts a cancellation only.
 */
export function createRehearsal(store: TeamRunStore): Rehearsal {
  const { host, team } = store;
  const records: StampedRecord[] = [];
  const letters: number[] = [];
  return {
    host: {
      ...host,
      runs: {
        ...host.runs,
        async claim(run, owner) {
          const row = await host.runs.get(run);
          if (!row || isOwned(store, row))
            return { won: false, owner: row?.owner ?? "nobody", until: row?.leaseUntil ?? 0 };
          return { won: true, lease: { run, owner, fence: row.fence + 1 } };
        },
        renew: async () => true,
        release: async () => undefined,
      },
      journal: { ...host.journal, append: async (_lease, batch) => void records.push(...batch) },
      inbox: { ...host.inbox, read: async (_lease, ids) => void letters.push(...ids) },
    },
    async store(run) {
      const [first] = records;
      // The run had already ended, so nothing was added.
      if (!first) return true;
      return team.store.cancel(run, { after: first.seq - 1, records, letters });
    },
    wrote: ({ chain }) => records.some((record) => record.chain === chain),
  };
}
