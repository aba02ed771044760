import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { duration } from "../../surfaces/terminal/duration.ts";
import type { AgentView } from "../../views/attempts.ts";

/** Calls once after so long; what it gives back calls it off. */
export type Later = (ms: number, call: () => void) => () => void;

export type Heartbeat = {
  /** Something was said: the silence begins anew. */
  spoke(): void;
  close(): void;
};

const EVERY_MS = 60_000;

/** Says who is at work once a minute, where nothing else is heard: silence must not look like a standstill. */
export function createHeartbeat({ later = REAL, beat }: { readonly later?: Later; beat(): void }): Heartbeat {
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

const REAL: Later = (ms, call) => {
  // Whoever ends is not held up by it.
  const timer = setTimeout(call, ms).unref();
  return () => clearTimeout(timer);
};

/** `… implementer T1 at work for 3m 2s, reviewer for 40.0s`; undefined where no agent is. */
export function heartbeatText(agents: readonly AgentView[], now: number): string | undefined {
  if (agents.length === 0) return undefined;
  const [first = "", ...others] = agents.slice(0, MOST).map(({ role, instance, task, startedAt }, at) => {
    const name = oneLine([...new Set([instance || role, task])].filter(Boolean).join(" "), 40);
    return `${name}${at === 0 ? " at work" : ""} for ${duration(now - startedAt)}`;
  });
  const more = agents.length > MOST ? [`${agents.length - MOST} more`] : [];
  return `… ${[first, ...others, ...more].join(", ")}`;
}

const MOST = 4;
