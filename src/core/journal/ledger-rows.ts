import { SignalboxError } from "../failure/errors.ts";
import type { StampedRecord } from "../ports/host.ts";
import { INTEGER_COLUMNS, LEDGER_TABLES, type LedgerRow, type LedgerTable } from "./ledger.ts";
import { toStorableText } from "./storable.ts";

export type LedgerValue = string | number | null;
/** Row to insert, with its values in the order of the table's columns. */
export type LedgerInsert = { readonly table: LedgerTable; readonly values: readonly LedgerValue[] };
/** Row derived from the journal. */
export type DerivedRow = LedgerInsert & { readonly seq: number };
/** Row stored in the table. */
export type StoredRow = LedgerInsert & { readonly id: number };

/** Defaults of columns that a row may omit or set to null without meaning "unknown". */
const DEFAULTS: Partial<Record<LedgerTable, Readonly<Record<string, LedgerValue>>>> = {
  anvil_checks: { task_id: "", instance: "", tree: "", round: 1 },
  pipeline_telemetry: { dispatch_count: 1, retry_count: 0 },
  instruction_updates: { applied: 0 },
};

/** Returns the rows of a record, complete and in the same form for every database. */
export function buildLedgerRows(record: StampedRecord): readonly LedgerInsert[] {
  if (!record.rows) return [];
  const own: LedgerRow["values"] = { run_id: record.run, ts: new Date(record.ts).toISOString() };
  return record.rows.map((row) => {
    refuseForeignColumns(record, row);
    const { table, values } = row;
    const others = DEFAULTS[table];
    return {
      table,
      values: LEDGER_TABLES[table].map((name) => toColumnValue(name, own[name] ?? values[name] ?? others?.[name])),
    };
  });
}

export type Derivation = {
  /** All derived rows so far, in order. */
  readonly rows: readonly DerivedRow[];
  /** Last processed record. */
  readonly seq: number;
  /** Processes the next records and returns their rows. */
  take(records: readonly StampedRecord[]): readonly DerivedRow[];
};

/** Derives the ledger from a journal, incrementally. */
export function createDerivation(): Derivation {
  const rows: DerivedRow[] = [];
  const isFirst = createWitnessFilter();
  let seq = 0;
  return {
    rows,
    get seq() {
      return seq;
    },
    take(records) {
      const before = rows.length;
      for (const record of records) {
        seq = record.seq;
        if (!record.rows) continue;
        for (const row of buildLedgerRows(record)) if (isFirst(row)) rows.push({ seq, ...row });
      }
      return rows.slice(before);
    },
  };
}

/** Keeps only the first row about the same check on the same tree. The journal keeps all of them. */
function createWitnessFilter(): (row: LedgerInsert) => boolean {
  const seen = new Set<string>();
  // Stored texts never contain NUL, so it can separate them.
  return ({ table, values }) =>
    table !== "anvil_checks" || seen.size < seen.add(UNIQUE_AT.map((at) => values[at]).join("\u0000")).size;
}

const UNIQUE = ["run_id", "task_id", "phase", "round", "instance", "check_name", "tree"] as const;
const UNIQUE_AT = UNIQUE.map((column) => LEDGER_TABLES.anvil_checks.indexOf(column));

/** Converts a value to the form that the column stores, so that the stored row equals the derived one. */
function toColumnValue(column: string, value: LedgerValue = null): LedgerValue {
  if (value === null) return null;
  if (!INTEGER_COLUMNS.has(column)) return toStorableText(String(value));
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function refuseForeignColumns(record: StampedRecord, { table, values }: LedgerRow): void {
  const columns: readonly string[] = LEDGER_TABLES[table];
  const foreign = Object.keys(values).find((name) => name === "run_id" || name === "ts" || !columns.includes(name));
  if (foreign === undefined) return;
  throw new SignalboxError(
    "INTERNAL",
    `Record ${record.seq} of run ${record.run} sets "${foreign}" in ${table}, which no record may set.`,
    "Nothing was stored. This is a bug in Signalbox: please report it.",
  );
}
