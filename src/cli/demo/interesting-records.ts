import type { JournalRecord } from "../../core/journal/record.ts";

/** Roles that work in parallel, whose starts are printed. */
const PARALLEL_ROLES: ReadonlySet<string> = new Set(["researcher", "implementer"]);
/** Checks that the demo is about. A failed check is always printed. */
const DEMO_CHECKS: ReadonlySet<string> = new Set(["test", "exam-old-on-new"]);

/** True if a viewer would miss the record's line. `--json` and the journal contain all records. */
export function isInteresting(record: JournalRecord): boolean {
  switch (record.type) {
    case "agent.started":
      return PARALLEL_ROLES.has(record.role);
    case "evidence.recorded":
      return !record.passed || DEMO_CHECKS.has(record.check);
    // The demo shows questions and the suspension itself.
    case "approval.requested":
    case "run.suspended":
      return false;
    // Repeats what the gates of the single tasks have just reported.
    case "step.finished":
      return !(record.key.endsWith("/integrated") && isRefusal(record.value));
    default:
      return true;
  }
}

const isRefusal = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "passed" in value && value.passed === false;
