import { CONFIDENCES, type Confidence, type End, type FinishedStatus, type SuspendedStatus } from "../authoring/end.ts";

/** Exit codes of problems before or outside of a run. */
export const EXIT = { usage: 2, environment: 4, owned: 6, damaged: 65, bug: 70, io: 74 } as const;

/**
 * @rule L-47 (policy) A run below the required confidence is done and not committed; it has a reason and exits with
 *   7.
 */
export function getEndExitCode(
  end: Pick<End, "confidence" | "limit"> & { status: FinishedStatus },
  need: Confidence,
): number {
  if (end.limit) return 5;
  if (end.status === "blocked" || end.status === "stalled") return 3;
  if (end.status !== "done") return 1;
  return end.confidence && CONFIDENCES.indexOf(end.confidence) < CONFIDENCES.indexOf(need) ? 7 : 0;
}

const SUSPENDED_EXIT = { waiting: 3, paused: 3, budget: 5, time: 5, interrupted: 130, broken: 1 } as const;

export function getSuspensionExitCode(status: SuspendedStatus): number {
  return SUSPENDED_EXIT[status];
}
