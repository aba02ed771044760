import { SignalboxError } from "../../src/core/failure/errors.ts";
import type { Chance } from "./chance.ts";
import type { Fate } from "./life.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Event at a moment that hits whichever engine has the run. */
export type Blow = "killed" | "stopped" | "told to stop" | "raced" | "raced by a patient one" | "canceled" | "edited";

/** Failures of engines and machines in a schedule, drawn before it starts, so that the seed determines everything. */
export type Faults = {
  /** Keyed by the number of the append, counted over all engines. */
  readonly appends: ReadonlyMap<number, Fate>;
  readonly blows: readonly { readonly afterMs: number; readonly what: Blow }[];
  /** Numbers of the effects whose disk fails. */
  readonly disks: ReadonlySet<number>;
};

const APPEND_FATES: Readonly<Record<Exclude<Fate, "goes on">, number>> = {
  "dies after": 4,
  "dies before": 3,
  "stops at": 3,
};
const BLOWS: Readonly<Record<Blow, number>> = {
  killed: 3,
  stopped: 2,
  "told to stop": 2,
  raced: 3,
  "raced by a patient one": 3,
  canceled: 1.5,
  edited: 1,
};

/** Draws the faults. Three schedules in ten have no fault of this kind; the others have at most eight. */
export function drawFaults(chance: Chance, calm: boolean): Faults {
  const many = calm ? 0 : Math.min(8, chance.odds(0.3) ? 0 : chance.magnitude(1, 8));
  const appends = new Map<number, Fate>();
  const blows: Faults["blows"][number][] = [];
  const disks = new Set<number>();
  for (let left = many; left > 0; left -= 1) {
    const kind = chance.weighed({ append: 5, blow: 4, disk: 1 });
    if (kind === "append") appends.set(chance.magnitude(1, 200), chance.weighed(APPEND_FATES));
    if (kind === "blow") blows.push({ afterMs: chance.magnitude(5 * SECOND, 2 * HOUR), what: chance.weighed(BLOWS) });
    if (kind === "disk") disks.add(chance.magnitude(1, 150));
  }
  return { appends, blows, disks };
}

export function diskError(): SignalboxError {
  return new SignalboxError("DISK_FAILED", "The disk did not take it.", "Resume when it is there again.");
}

/** Codes with which a run may stop because of the faults in its world. */
export const EXCUSED: ReadonlySet<string> = new Set(["DISK_FAILED"]);
