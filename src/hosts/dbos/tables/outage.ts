/** Logs an outage once when it starts and once when it ends, however many queries meet it. */
export type Outage = {
  /** Records an unanswered query. */
  lost(): void;
  /** Records an answered query. */
  answered(): void;
};

type OutageDeps = { readonly log: (line: string) => void; readonly now: () => number };

/** A connection that is replaced within this time is no outage. */
const LOGGED_AFTER_MS = 1_000;

export function createOutage({ log, now }: OutageDeps): Outage {
  let since: number | undefined;
  let isLogged = false;
  return {
    lost() {
      since ??= now();
      if (isLogged || now() - since < LOGGED_AFTER_MS) return;
      isLogged = true;
      log("lost connection to Postgres; waiting for it");
    },
    answered() {
      if (isLogged && since !== undefined)
        log(`Postgres is available again after ${Math.round((now() - since) / 1_000)} s`);
      since = undefined;
      isLogged = false;
    },
  };
}

/** Logs nothing. */
export const UNLOGGED_OUTAGE: Outage = { lost: () => undefined, answered: () => undefined };
