import type { JournalRecord } from "../../core/journal/record.ts";

/** Whose beginning is part of the story: those who work side by side. */
const TOGETHER: ReadonlySet<string> = new Set(["researcher", "implementer"]);
/** The checks that the story is about; a red one is always told. */
const CHECKS: ReadonlySet<string> = new Set(["test", "exam-old-on-new"]);

/** Whether a viewer misses anything without its line. Everything is in the journal all the same, and in `--json`. */
export function isWorthTelling(record: JournalRecord): boolean {
  switch (record.type) {
    case "agent.started":
      return TOGETHER.has(record.role);
    case "evidence.recorded":
      return !record.passed || CHECKS.has(record.check);
    // The demo shows its questions itself, and why the run is parked.
    case "approval.requested":
    case "run.suspended":
      return false;
    // What the gates of the single tasks have just said, once more.
    case "step.finished":
      return !(record.key.endsWith("/integrated") && isRefusal(record.value));
    default:
      return true;
  }
}

const isRefusal = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "passed" in value && value.passed === false;
