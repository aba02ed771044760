import type { ForeignTable, SqlValue } from "./foreign-ledger.ts";
import type { AuditNote } from "./notes.ts";

export type TelemetryRow = {
  readonly run: string;
  readonly startedAt: number;
  readonly completedAt: number;
  readonly storedAt: number;
  /** Both times have fractions of a second. */
  readonly fine: boolean;
};

/** Minimum number of rows. Fewer may have round times by chance. */
const MIN_ROWS = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export function readTelemetry(table: ForeignTable | undefined): TelemetryRow[] {
  const rows = table?.rows(["run_id", "started_at", "completed_at", "ts"]) ?? [];
  return Array.from(rows, ([run, started, completed, stored]) => ({
    run: String(run ?? ""),
    startedAt: parseTime(started),
    completedAt: parseTime(completed),
    storedAt: parseTime(stored),
    fine: [started, completed].every((time) => typeof time === "string" && /:\d\d\.\d/.test(time)),
  }));
}

/** Reports signs of invented times, from an agent without a clock. They are indications, not proof. */
export function collectTelemetryNotes(rows: readonly TelemetryRow[]): AuditNote[] {
  const timed = rows.filter((row) => !Number.isNaN(row.startedAt) && !Number.isNaN(row.completedAt));
  const times = timed.flatMap((row) => [row.startedAt, row.completedAt]);
  const zeroDuration = timed.filter((row) => row.completedAt === row.startedAt).length;
  const backwards = timed.filter((row) => row.completedAt < row.startedAt).length;
  const early = timed.filter((row) => row.storedAt < row.startedAt).length;
  const all = (unit: number) => timed.length >= MIN_ROWS && times.every((time) => time % unit === 0);
  const minutes = all(MINUTE_MS);
  // Whole seconds alone are no indication, because SQLite's clock has no fractions.
  const seconds = !minutes && all(SECOND_MS) && timed.every((row) => row.fine);
  const messages = [
    minutes && `all ${timed.length} telemetry rows start and end on a whole minute: the times look invented`,
    seconds && `all ${timed.length} telemetry rows have a zero fraction of a second: the times look invented`,
    rows.length > timed.length &&
      `${rows.length - timed.length} of ${rows.length} telemetry rows lack a readable start or end`,
    zeroDuration > 0 && `${zeroDuration} of ${timed.length} telemetry rows record a dispatch that took no time`,
    backwards > 0 && `${backwards} of ${timed.length} telemetry rows end before they start`,
    early > 0 && `${early} of ${timed.length} telemetry rows were stored before their recorded start`,
  ];
  return messages.filter((message) => message !== false).map((message) => ({ kind: "telemetry-times", message }));
}

/** Parses a time. SQLite writes UTC without a zone. */
function parseTime(value: SqlValue | undefined): number {
  if (typeof value !== "string") return Number.NaN;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value.slice(10)) ? value : `${value}Z`;
  return Date.parse(zoned.replace(" ", "T"));
}
