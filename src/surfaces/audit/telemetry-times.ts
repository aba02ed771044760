import type { ForeignTable, Value } from "./foreign-ledger.ts";
import type { AuditNote } from "./notes.ts";

export type Telemetry = {
  readonly run: string;
  readonly startedAt: number;
  readonly completedAt: number;
  readonly storedAt: number;
  /** Both times are written with fractions of a second. */
  readonly fine: boolean;
};

/** Fewer rows than this may be round by chance. */
const ENOUGH = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export function telemetryOf(table: ForeignTable | undefined): Telemetry[] {
  const rows = table?.rows(["run_id", "started_at", "completed_at", "ts"]) ?? [];
  return Array.from(rows, ([run, started, completed, stored]) => ({
    run: String(run ?? ""),
    startedAt: timeOf(started),
    completedAt: timeOf(completed),
    storedAt: timeOf(stored),
    fine: [started, completed].every((time) => typeof time === "string" && /:\d\d\.\d/.test(time)),
  }));
}

/** Signs that times were made up by an agent that has no clock. They prove nothing, and are told as signs. */
export function telemetryNotes(rows: readonly Telemetry[]): AuditNote[] {
  const timed = rows.filter((row) => !Number.isNaN(row.startedAt) && !Number.isNaN(row.completedAt));
  const times = timed.flatMap((row) => [row.startedAt, row.completedAt]);
  const still = timed.filter((row) => row.completedAt === row.startedAt).length;
  const backwards = timed.filter((row) => row.completedAt < row.startedAt).length;
  const early = timed.filter((row) => row.storedAt < row.startedAt).length;
  const all = (unit: number) => timed.length >= ENOUGH && times.every((time) => time % unit === 0);
  const minutes = all(MINUTE_MS);
  // Times that are written to the second are no sign: SQLite's own clock writes them so.
  const seconds = !minutes && all(SECOND_MS) && timed.every((row) => row.fine);
  const told = [
    minutes && `all ${timed.length} telemetry rows start and end on a whole minute: the times look invented`,
    seconds && `all ${timed.length} telemetry rows write fractions that are zero: the times look invented`,
    rows.length > timed.length &&
      `${rows.length - timed.length} of ${rows.length} telemetry rows lack a readable start or end`,
    still > 0 && `${still} of ${timed.length} telemetry rows say that a dispatch took no time at all`,
    backwards > 0 && `${backwards} of ${timed.length} telemetry rows end before they start`,
    early > 0 && `${early} of ${timed.length} telemetry rows were stored before the start that they name`,
  ];
  return told.filter((message) => message !== false).map((message) => ({ kind: "telemetry-times", message }));
}

/** SQLite's own times are UTC and do not say so. */
function timeOf(value: Value | undefined): number {
  if (typeof value !== "string") return Number.NaN;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value.slice(10)) ? value : `${value}Z`;
  return Date.parse(zoned.replace(" ", "T"));
}
