import type { Host } from "../../src/core/ports/host.ts";

/** Wraps every call of a host to decide what happens to the calling process. */
export type Guard = <A extends unknown[], R>(act: (...args: A) => Promise<R>) => (...args: A) => Promise<R>;

/** The same host, for a process that may be stopped or killed at every call. */
export function guardedHost(host: Host, guard: Guard): Host {
  const { runs, journal, inbox, ledger, effects } = host;
  return {
    ...host,
    runs: {
      create: guard(runs.create),
      get: guard(runs.get),
      list: guard(runs.list),
      claim: guard(runs.claim),
      renew: guard(runs.renew),
      release: guard(runs.release),
    },
    journal: {
      load: guard(journal.load),
      page: guard(journal.page),
      follow: journal.follow,
      append: guard(journal.append),
    },
    inbox: {
      post: guard(inbox.post),
      unread: guard(inbox.unread),
      read: guard(inbox.read),
      changed: guard(inbox.changed),
    },
    ledger: { ask: guard(ledger.ask), rows: guard(ledger.rows) },
    effects: {
      // A guard has the same parameters and result as the guarded function.
      start: guard(effects.start) as Host["effects"]["start"],
      resume: guard(effects.resume) as Host["effects"]["resume"],
    },
  };
}
