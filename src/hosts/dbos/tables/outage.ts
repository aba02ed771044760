/** A server that is away, told once, and once more when it is back: everybody who asks it meets the same outage. */
export type Outage = {
  /** Somebody was not answered. */
  lost(): void;
  /** Somebody was. */
  answered(): void;
};

type OutageParts = { readonly log: (line: string) => void; readonly now: () => number };

/** A connection that is replaced at once is no outage. */
const TOLD_AFTER_MS = 1_000;

export function createOutage({ log, now }: OutageParts): Outage {
  let since: number | undefined;
  let told = false;
  return {
    lost() {
      since ??= now();
      if (told || now() - since < TOLD_AFTER_MS) return;
      told = true;
      log("Postgres is away; waiting for it");
    },
    answered() {
      if (told && since !== undefined) log(`Postgres is back after ${Math.round((now() - since) / 1_000)} s`);
      since = undefined;
      told = false;
    },
  };
}

/** For a store that tells nobody. */
export const UNTOLD: Outage = { lost: () => undefined, answered: () => undefined };
