import type { RecordBody, Stamp } from "../../core/journal/record.ts";
import type { Host, Lease, StampedRecord } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { canonical } from "../../core/text/json.ts";

/** The chain value before the first record of a run. */
export const CHAIN_START = "";

export function hashChain(world: Pick<World, "hash">, before: string, record: Omit<StampedRecord, "chain">): string {
  return world.hash(`${before}\n${canonical(record)}`);
}

export type Recorder = {
  /** Adds a record in memory at once; `durable` stores it. */
  record<F extends RecordBody>(fact: F): F & Stamp;
  /** Resolves when everything recorded so far is stored. No effect may start before that. */
  durable(): Promise<void>;
  /** The number of the last record with ledger rows. While it does not change, no row was added. */
  readonly rowsAt: number;
};

/**
 * Records ahead of the disk: the code of a pipeline is pure, and only effects wait for storage. The result of one step
 * and the intent of the next therefore usually share a commit.
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
      // One turn of the event loop lets parallel branches put their intents into the same commit.
      await new Promise((resolve) => setImmediate(resolve));
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        await host.journal.append(lease, batch);
      }
    } finally {
      // Runs synchronously after the last check of the queue: a record added now needs its own flush.
      flushing = undefined;
    }
  };

  const flushRecords = (): Promise<void> => {
    flushing ??= flush();
    return flushing;
  };

  return {
    record(fact) {
      const bare = { ...fact, v: 1 as const, seq: seq + 1, ts: world.now(), run: lease.run };
      chain = hashChain(world, chain, bare);
      seq = bare.seq;
      if (fact.rows) rowsAt = seq;
      const stamped = { ...bare, chain };
      waiting.push(stamped);
      flushRecords().catch(onFailure);
      return stamped;
    },
    durable: flushRecords,
    get rowsAt() {
      return rowsAt;
    },
  };
}
