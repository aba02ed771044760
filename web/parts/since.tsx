import { useNow } from "../data/hooks.ts";
import { formatRunningTime, formatTimeOfDay } from "./format.ts";

/** The running time since `at`. */
export function Since({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatTimeOfDay(at, now)}>
      {formatRunningTime(now - at)}
    </time>
  );
}

export function Ago({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()}>
      {formatTimeOfDay(at, now)}, {now - at < 45_000 ? "just now" : `${formatRunningTime(now - at)} ago`}
    </time>
  );
}

export function Clock({ at }: { readonly at: number }) {
  const now = useNow(false);
  return <time dateTime={new Date(at).toISOString()}>{formatTimeOfDay(at, now)}</time>;
}
