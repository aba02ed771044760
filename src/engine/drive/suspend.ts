import type { EngineDeps } from "../engine.ts";
import { createStuckError } from "../replay/guards.ts";
import type { Run } from "../run.ts";
import type { RunWait } from "./signals.ts";

/** How long a body may wait for something other than a verb before it counts as stuck. */
const STUCK_AFTER_MS = 2_000;

/**
 * Suspends a run in which nothing is active: either it waits for an outside event, or its body waits for something that
 * never comes.
 * @rule A-10 (code) Without a terminal a question suspends the run with exit code 3; an answer from anywhere lets it
 *   continue.
 */
export function suspendIfIdle(parts: EngineDeps, run: Run): void {
  if (run.over) return;
  const waits = [...run.signals.waiting.values()];
  if (waits.length === 0) {
    const visits = run.visited.size + run.keys.size;
    parts.world.sleep(STUCK_AFTER_MS).then(() => {
      const moved = run.visited.size + run.keys.size !== visits || run.signals.waiting.size > 0;
      if (!moved) run.conclude({ kind: "broken", error: createStuckError(run.id) });
    });
    return;
  }
  // A branch has ended the run: open questions of its siblings no longer matter.
  if (run.ending) {
    run.conclude({ kind: "ended", end: run.ending });
    return;
  }
  if (isHeld(parts) && waits.some((wait) => wait.kind === "approval")) return;
  const kinds = waits.map((wait) => wait.kind);
  const limit = waits.find((wait) => isPersonWaitKind(wait.kind));
  const status = limit && isPersonWaitKind(limit.kind) ? limit.kind : kinds.every(isPause) ? "paused" : "waiting";
  run.conclude({
    kind: "suspended",
    status,
    reason: (limit ?? waits[0])?.title ?? "",
    waiting: waits.filter((wait) => wait.kind === "approval" || wait.kind === "pause").map((wait) => wait.id),
    ...(limit?.kind === "interrupted" && limit.exit !== undefined ? { exit: limit.exit } : {}),
  });
}

function isHeld({ waits }: Pick<EngineDeps, "waits">): boolean {
  return typeof waits === "boolean" ? waits : !waits.aborted;
}

type PersonWaitKind = "budget" | "time" | "interrupted";

/** Waits that only a person can end, whatever else is open. */
function isPersonWaitKind(kind: RunWait["kind"]): kind is PersonWaitKind {
  return kind === "budget" || kind === "time" || kind === "interrupted";
}

function isPause(kind: RunWait["kind"]): boolean {
  return kind === "pause";
}
