import type { Host, StampedRecord } from "../../core/ports/host.ts";
import { isOwned } from "../runs/run-store.ts";
import type { TeamRunStore } from "./team-store.ts";

type Rehearsal = {
  readonly host: Host;
  /** Ends the run as it was rehearsed; false where somebody has it by now. */
  store(run: string): Promise<boolean>;
  /** Whether that record is of this rehearsal. */
  wrote(record: Pick<StampedRecord, "chain">): boolean;
};

/**
 * A team's runs as an engine sees them that may record nothing: a person has no right to, but to end a run that nobody
 * drives. What it would have recorded is given to the database whole, which takes a cancellation and nothing else.
 */
export function rehearse(store: TeamRunStore): Rehearsal {
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
      // An end was there already, and nothing was added to it.
      if (!first) return true;
      return team.store.cancel(run, { after: first.seq - 1, records, letters });
    },
    wrote: ({ chain }) => records.some((record) => record.chain === chain),
  };
}
