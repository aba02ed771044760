import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { duration, momentOfDay } from "../../../surfaces/terminal/duration.ts";

export type Holder = Awaited<ReturnType<TeamHost["team"]["holders"]>>[number];

/** One that lives is heard every third of its lease; two missed are worth a word. */
export function isSilent({ heard, until, dead }: Holder, now: number): boolean {
  return dead || now - heard > ((until - heard) * 2) / 3;
}

/** Others may have what it had. */
export function isLapsed({ until, dead }: Holder, now: number): boolean {
  return dead || until <= now;
}

type Silence = {
  readonly name: string;
  readonly now: number;
  /** Why nobody takes what it had; undefined where somebody will. */
  readonly waits: string | undefined;
};

/** `build-1, which drove it, was last heard at 15:04:05, 22.0s ago; another worker takes over by 15:04:25` */
export function silentText(holder: Holder, { name, now, waits }: Silence): string {
  const { heard, of } = holder;
  const lapsed = isLapsed(holder, now);
  const what = of === "run" ? (lapsed ? "drove it" : "drives it") : `${lapsed ? "had" : "has"} an agent of it`;
  const since = `${name}, which ${what}, was last heard at ${momentOfDay(heard, now)}, ${duration(now - heard)} ago`;
  return `${since}; ${waits ?? takeoverText(holder, now)}`;
}

function takeoverText(holder: Holder, now: number): string {
  const at = takeoverAt(holder);
  const when = at > now ? `by ${momentOfDay(at, now)}` : "in a moment";
  return isLapsed(holder, now)
    ? `another worker takes over ${when}`
    : `unless it is, another worker takes over ${when}`;
}

/** Each of those who live looks for lapsed ones with every beat of its heart. */
const takeoverAt = ({ until, heard }: Holder): number => until + (until - heard) / 3;
