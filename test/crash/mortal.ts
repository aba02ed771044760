import type { Host } from "../../src/core/ports/host.ts";

export const forever = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * A host as a process sees it that is killed right after its k-th append was stored: nothing it writes or reads
 * afterwards happens, and it is never told.
 */
export function mortal(host: Host, k: number, onDeath: () => void): Host {
  let appends = 0;
  let dead = false;
  const guard =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (dead) return forever();
      const result = await act(...args);
      return dead ? forever() : result;
    };
  return {
    ...host,
    runs: {
      create: guard(host.runs.create),
      get: guard(host.runs.get),
      list: guard(host.runs.list),
      claim: guard(host.runs.claim),
      renew: guard(host.runs.renew),
      release: guard(host.runs.release),
    },
    journal: {
      load: guard(host.journal.load),
      page: guard(host.journal.page),
      follow: host.journal.follow,
      append: guard(async (lease, records) => {
        await host.journal.append(lease, records);
        appends += 1;
        if (appends < k) return;
        dead = true;
        onDeath();
      }),
    },
    inbox: {
      post: guard(host.inbox.post),
      unread: guard(host.inbox.unread),
      read: guard(host.inbox.read),
      changed: guard(host.inbox.changed),
    },
    ledger: { ask: guard(host.ledger.ask), rows: guard(host.ledger.rows) },
    effects: {
      start: guard(host.effects.start) as Host["effects"]["start"],
      resume: guard(host.effects.resume) as Host["effects"]["resume"],
    },
  };
}
