import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import type { AgentView } from "../../views/attempts.ts";

/** Schedules one call; the returned function cancels it. */
export type ScheduleCall = (ms: number, call: () => void) => () => void;

export type Heartbeat = {
  /** Restarts the interval after other output. */
  spoke(): void;
  close(): void;
};

const EVERY_MS = 60_000;

/** Calls back once a minute without other output, so that silence does not look like a hang. */
export function createHeartbeat({ later = REAL, beat }: { readonly later?: ScheduleCall; beat(): void }): Heartbeat {
  let cancel = (): void => {};
  let closed = false;
  const wait = (): void => {
    cancel();
    if (closed) return;
    cancel = later(EVERY_MS, () => {
      beat();
      wait();
    });
  };
  wait();
  return {
    spoke: wait,
    close() {
      closed = true;
      cancel();
    },
  };
}

const REAL: ScheduleCall = (ms, call) => {
  // The timer must not keep the process alive.
  const timer = setTimeout(call, ms).unref();
  return () => clearTimeout(timer);
};

/** Formats `… implementer T1 running for 3m 2s, reviewer for 40.0s`. Returns undefined if no agent is running. */
export function formatHeartbeat(agents: readonly AgentView[], now: number): string | undefined {
  if (agents.length === 0) return undefined;
  const [first = "", ...others] = agents.slice(0, MOST).map(({ role, instance, task, startedAt }, at) => {
    const name = toOneLine([...new Set([instance || role, task])].filter(Boolean).join(" "), 40);
    return `${name}${at === 0 ? " running" : ""} for ${formatDuration(now - startedAt)}`;
  });
  const more = agents.length > MOST ? [`${agents.length - MOST} more`] : [];
  return `… ${[first, ...others, ...more].join(", ")}`;
}

const MOST = 4;
