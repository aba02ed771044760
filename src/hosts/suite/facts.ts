import type { Effect } from "../../core/journal/effect.ts";
import type { LedgerRow } from "../../core/journal/ledger.ts";
import type { JournalRecord, RecordBody } from "../../core/journal/record.ts";
import type { StampedRecord } from "../../core/ports/host.ts";

/** Stamps facts with consecutive numbers, as an engine would: the first record of a run is 1. */
export function stampRecords(run: string, from: number, facts: readonly RecordBody[]): StampedRecord[] {
  return facts.map((fact, index) => {
    const seq = from + index;
    return { ...fact, v: 1, seq, ts: 1_900_000_000_000 + seq, run, chain: `chain-${seq}` };
  });
}

export function createStep(n: number, rows?: readonly LedgerRow[]): RecordBody {
  return { type: "step.finished", key: `3 Design/step-${n}`, value: { n }, ...(rows && { rows: [...rows] }) };
}

export function createSteps(count: number, from = 1): RecordBody[] {
  return Array.from({ length: count }, (_, index) => createStep(from + index));
}

/** A valid evidence row, with overrides. */
export function createCheckRow(values: LedgerRow["values"] = {}): LedgerRow {
  return { table: "anvil_checks", values: { phase: "after", check_name: "tests", passed: 1, ...values } };
}

export const listSeqs = (records: readonly JournalRecord[]): number[] => records.map((record) => record.seq);

export function listNumbers(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A minimal attempt. */
export function createAttempt(run: string, key = "build@1"): Effect<"attempt"> {
  const request = {
    pipeline: "ledger",
    phase: "3 Build",
    role: "builder",
    instance: "",
    task: "",
    round: 1,
    attempt: 1,
    input: null,
    nonce: "n",
    tree: "t",
    rendered: [],
  };
  return { id: `${run}/${key}`, run, kind: "attempt", request };
}
