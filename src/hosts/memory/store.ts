import type { Host, Posted } from "../../core/ports/host.ts";
import type { JournalRecord } from "../../core/record.ts";
import { type Bells, createBells } from "../bells.ts";
import { ledgerReader } from "../ledger/ask.ts";
import { emptyLedger } from "../ledger/derived-ledger.ts";
import { ledgerWriter } from "../ledger/write.ts";

export type StoredRun = {
  readonly id: string;
  readonly pipeline: string;
  readonly repo: string;
  readonly createdAt: number;
  status: string;
  exit: number | null;
  reason: string | null;
  owner: string | null;
  leaseUntil: number | null;
  fence: number;
};
type StoredLetter = Posted & { readonly run: string; read: boolean };

/** Everything that outlives a process. Records are kept as text, so that nobody can change one in place. */
type Kept = {
  readonly runs: Record<string, StoredRun>;
  readonly journal: Record<string, string[]>;
  readonly letters: StoredLetter[];
  readonly blobs: Record<string, string>;
};

export type MemoryStore = Kept & {
  readonly bells: Bells;
  /** The ledger tables, derived from the journal when they are first needed. */
  ledger(): MemoryLedger;
  /** All that is stored; `memoryStore(bytes)` goes on from there. */
  bytes(): Uint8Array;
};
type MemoryLedger = Host["ledger"] & { write(records: readonly JournalRecord[]): void };

export function memoryStore(bytes?: Uint8Array): MemoryStore {
  const kept = bytes ? read(bytes) : { runs: {}, journal: {}, letters: [], blobs: {} };
  let ledger: MemoryLedger | undefined;
  return {
    ...kept,
    bells: createBells(),
    ledger: () => {
      ledger ??= derivedLedger(Object.values(kept.journal).flat());
      return ledger;
    },
    bytes: () => new TextEncoder().encode(JSON.stringify(kept)),
  };
}

function read(bytes: Uint8Array): Kept {
  return JSON.parse(new TextDecoder().decode(bytes)) as Kept; // only `bytes()` makes these
}

function derivedLedger(journal: readonly string[]): MemoryLedger {
  const db = emptyLedger();
  const writeOne = ledgerWriter(db);
  const ledger: MemoryLedger = {
    ...ledgerReader(db),
    write: (records) => {
      db.exec("BEGIN");
      try {
        for (const record of records) writeOne(record);
        db.exec("COMMIT");
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    },
  };
  ledger.write(journal.map((text) => JSON.parse(text) as JournalRecord)); // only `append` wrote these texts
  return ledger;
}
