import type { Host } from "../../src/core/ports/host.ts";
import { type Guard, guardedHost } from "../support/guarded-host.ts";

export const forever = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * Wraps a host as a process sees it that is killed right after its k-th append was stored: the process gets no
 * confirmation, and nothing that it writes or reads afterwards happens.
 */
export function mortal(host: Host, k: number, onDeath: () => void): Host {
  let appends = 0;
  let dead = false;
  const guard: Guard =
    (act) =>
    async (...args) => {
      if (dead) return forever();
      const result = await act(...args);
      return dead ? forever() : result;
    };
  const append: Host["journal"]["append"] = async (lease, records) => {
    await host.journal.append(lease, records);
    appends += 1;
    if (appends < k) return;
    dead = true;
    onDeath();
  };
  return guardedHost({ ...host, journal: { ...host.journal, append } }, guard);
}
