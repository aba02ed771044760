import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host, PostedSignal } from "../../core/ports/host.ts";
import { createEmptyLedger } from "../ledger/derived-ledger.ts";
import { createLedgerReader } from "../ledger/ledger-reader.ts";
import { createLedgerWriter } from "../ledger/ledger-writer.ts";
import { createNotifier, type Notifier } from "../notifier.ts";

export type MemoryRun = {
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
type StoredSignal = PostedSignal & { readonly run: string; read: boolean };

/** The state that outlives a process. Records are stored as text, so that no caller can mutate one. */
type StoredState = {
  readonly runs: Record<string, MemoryRun>;
  readonly journal: Record<string, string[]>;
  readonly letters: StoredSignal[];
  readonly blobs: Record<string, string>;
};

export type MemoryStore = StoredState & {
  readonly notifier: Notifier;
  /** The ledger tables, derived from the journal on first use. */
  ledger(): MemoryLedger;
  /** The serialized state, which `createMemoryStore(bytes)` restores. */
  bytes(): Uint8Array;
};
type MemoryLedger = Host["ledger"] & { write(records: readonly JournalRecord[]): void };

export function createMemoryStore(bytes?: Uint8Array): MemoryStore {
  const kept = bytes ? parseState(bytes) : { runs: {}, journal: {}, letters: [], blobs: {} };
  let ledger: MemoryLedger | undefined;
  return {
    ...kept,
    notifier: createNotifier(),
    ledger: () => {
      ledger ??= createMemoryLedger(Object.values(kept.journal).flat());
      return ledger;
    },
    bytes: () => new TextEncoder().encode(JSON.stringify(kept)),
  };
}

function parseState(bytes: Uint8Array): StoredState {
  return JSON.parse(new TextDecoder().decode(bytes)) as StoredState; // only `bytes()` creates these
}

function createMemoryLedger(journal: readonly string[]): MemoryLedger {
  const db = createEmptyLedger();
  const writeOne = createLedgerWriter(db);
  const ledger: MemoryLedger = {
    ...createLedgerReader(db),
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
  ledger.write(journal.map((text) => JSON.parse(text) as JournalRecord)); // only `append` writes these texts
  return ledger;
}
