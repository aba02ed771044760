import { useNow } from "../data/hooks.ts";
import { clock, coarse } from "./format.ts";

/** The running time since `at`. */
export function Since({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={clock(at, now)}>
      {coarse(now - at)}
    </time>
  );
}

export function Ago({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()}>
      {clock(at, now)}, {now - at < 45_000 ? "just now" : `${coarse(now - at)} ago`}
    </time>
  );
}

export function Clock({ at }: { readonly at: number }) {
  const now = useNow(false);
  return <time dateTime={new Date(at).toISOString()}>{clock(at, now)}</time>;
}
