import type { RecordBody, Stamp } from "../../core/journal/record.ts";
import type { Host, Lease, StampedRecord } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { canonical } from "../../core/text/json.ts";

/** The chain begins here: the chain "before" a run's first record. */
export const CHAIN_START = "";

export function chained(world: Pick<World, "hash">, before: string, record: Omit<StampedRecord, "chain">): string {
  return world.hash(`${before}\n${canonical(record)}`);
}

export type Recorder = {
  /** In memory at once; on disk by the next `durable`. */
  record<F extends RecordBody>(fact: F): F & Stamp;
  /** Resolves when everything recorded so far is stored. No effect may start before that. */
  durable(): Promise<void>;
  /** The number of the last record with ledger rows: while it stands, no row has come that was not there before. */
  readonly rowsAt: number;
};

/**
 * A pipeline's code is pure, so it may run ahead of the disk; only effects wait for it.
 * That is why the result of one step and the intent of the next usually share a commit.
 */
export function createRecorder(parts: {
  readonly host: Host;
  readonly world: World;
  readonly lease: Lease;
  readonly last: { readonly seq: number; readonly chain: string };
  readonly onFailure: (error: unknown) => void;
}): Recorder {
  const { host, world, lease, onFailure } = parts;
  let { seq, chain } = parts.last;
  let rowsAt = 0;
  let waiting: StampedRecord[] = [];
  let flushing: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    try {
      // One turn of the event loop lets the branches of a wave put their intents into the same commit.
      await new Promise((resolve) => setImmediate(resolve));
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        await host.journal.append(lease, batch);
      }
    } finally {
      // In the same breath as the last look at what waits: a record that comes now needs a flush of its own.
      flushing = undefined;
    }
  };

  const durable = (): Promise<void> => {
    flushing ??= flush();
    return flushing;
  };

  return {
    record(fact) {
      const bare = { ...fact, v: 1 as const, seq: seq + 1, ts: world.now(), run: lease.run };
      chain = chained(world, chain, bare);
      seq = bare.seq;
      if (fact.rows) rowsAt = seq;
      const stamped = { ...bare, chain };
      waiting.push(stamped);
      durable().catch(onFailure);
      return stamped;
    },
    durable,
    get rowsAt() {
      return rowsAt;
    },
  };
}
