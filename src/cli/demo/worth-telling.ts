import type { JournalRecord } from "../../core/record.ts";

/** Whose beginning is part of the story: those who work side by side. */
const TOGETHER: ReadonlySet<string> = new Set(["researcher", "implementer"]);
/** The checks that the story is about; a red one is always told. */
const CHECKS: ReadonlySet<string> = new Set(["test", "tamper"]);

/** Whether a viewer misses anything without its line. Everything is in the journal all the same, and in `--json`. */
export function isWorthTelling(record: JournalRecord): boolean {
  switch (record.type) {
    case "agent.started":
      return TOGETHER.has(record.role);
    case "evidence.recorded":
      return !record.passed || CHECKS.has(record.check);
    case "approval.requested":
      return record.title.includes("plan");
    case "run.suspended":
      return false;
    default:
      return true;
  }
}
