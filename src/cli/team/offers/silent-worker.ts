import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { formatDuration, formatTimeWithSeconds } from "../../../surfaces/terminal/duration.ts";

export type Holder = Awaited<ReturnType<TeamHost["team"]["holders"]>>[number];

/** A live worker sends a heartbeat every third of its lease; two missed ones are reported. */
export function isSilent({ heard, until, dead }: Holder, now: number): boolean {
  return dead || now - heard > ((until - heard) * 2) / 3;
}

/** Returns true if other workers may take over its tasks. */
export function isLapsed({ until, dead }: Holder, now: number): boolean {
  return dead || until <= now;
}

type Silence = {
  readonly name: string;
  readonly now: number;
  /** Reason why no worker takes over; undefined if one will. */
  readonly waits: string | undefined;
};

/** Formats `build-1, which drove it, sent its last heartbeat at 15:04:05, 22.0s ago; another worker takes over shortly`. */
export function formatSilence(holder: Holder, { name, now, waits }: Silence): string {
  const { heard, of } = holder;
  const lapsed = isLapsed(holder, now);
  const what = of === "run" ? (lapsed ? "drove it" : "drives it") : `${lapsed ? "had" : "has"} an agent of it`;
  const since = `${name}, which ${what}, sent its last heartbeat at ${formatTimeWithSeconds(heard, now)}, ${formatDuration(now - heard)} ago`;
  return `${since}; ${waits ?? formatTakeover(holder, now)}`;
}

function formatTakeover(holder: Holder, now: number): string {
  const at = getTakeoverTime(holder);
  const when = at > now ? `by ${formatTimeWithSeconds(at, now)}` : "shortly";
  return isLapsed(holder, now)
    ? `another worker takes over ${when}`
    : `another worker takes over ${when} unless it recovers`;
}

/** Every live worker looks for lapsed ones with each heartbeat. */
const getTakeoverTime = ({ until, heard }: Holder): number => until + (until - heard) / 3;
