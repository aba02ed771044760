import type { JournalRecord, RecordBody, RecordBodyOf } from "../../core/journal/record.ts";
import { canonical, toJson } from "../../core/text/json.ts";
import { type ForkPoint, findArrivals, requireArrival, selectRecordsBefore } from "./fork-history.ts";
import { listRefusalsSince } from "./fork-refused.ts";
import { listRedRuns } from "./fork-seen.ts";

type ForkStart = RecordBodyOf<"run.started">;
type ForkOrigin = NonNullable<ForkStart["from"]>;
type ForkOrder = ForkPoint & { readonly start: Pick<ForkStart, "base" | "commands"> };

/**
 * Collects what a new run takes from an older one: the finished steps before a phase, and what that run has learned.
 */
export function forkRun(order: ForkOrder): { readonly from: ForkOrigin; readonly taken: readonly RecordBody[] } {
  const { records, phase, arrival, run, start } = order;
  const taken = selectRecordsBefore({ records, phase, arrival, run });
  const refused = listRefusalsSince(records, requireArrival({ records, phase, arrival }).index);
  const seen = listRedRuns({ records, taken, start });
  const from = {
    run: records[0]?.run ?? "",
    phase,
    seq: taken.length + 1,
    upTo: records.length,
    ...(refused.length > 0 ? { refused } : {}),
    ...(seen.length > 0 ? { seen } : {}),
  };
  return { from, taken };
}

type ClaimedFork = {
  /** The older run as it is now; it may have continued since. */
  readonly records: readonly JournalRecord[];
  readonly run: string;
  readonly start: ForkStart & { readonly from: ForkOrigin };
  readonly taken: readonly JournalRecord[];
};

/** Returns the part of a submitted start that the older run does not confirm; undefined if it confirms all of it. */
export function findForgedPart({ records, run, start, taken }: ClaimedFork): "steps" | "memory" | undefined {
  const { from } = start;
  const { phase } = from;
  const arrivals = findArrivals({ records, phase, run, taken });
  if (arrivals.length === 0) return "steps";
  const claimed = canonical(toJson(from) ?? null);
  const isDerived = listLengths(records, from).some((length) => {
    const then = records.slice(0, length);
    return arrivals
      .filter(({ index }) => index < length)
      .some(({ number }) => {
        const { upTo, ...rest } = forkRun({ records: then, phase, arrival: number, run, start }).from;
        return canonical(toJson(from.upTo === undefined ? rest : { ...rest, upTo }) ?? null) === claimed;
      });
  });
  return isDerived ? undefined : "memory";
}

/**
 * Most lengths to try. Starts without `upTo` are older: the run they forked was at one of its last suspensions, or
 * where it is now.
 */
const MOST_LENGTHS = 64;

function listLengths(records: readonly JournalRecord[], { upTo }: ForkOrigin): readonly number[] {
  if (upTo !== undefined) return upTo <= records.length ? [upTo] : [];
  const rests = records.flatMap(({ type }, at) => (RESTS.has(type) ? [at + 1] : []));
  return [...new Set([records.length, ...rests.reverse()])].slice(0, MOST_LENGTHS);
}

const RESTS: ReadonlySet<string> = new Set(["run.suspended", "run.finished"]);
