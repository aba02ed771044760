import { useNow, useStore } from "../data/hooks.ts";
import { retryNow } from "../data/store.ts";
import { clock, coarse } from "../parts/format.ts";
import { Glyph } from "../parts/glyph.tsx";

export const useLive = (): boolean => useStore((store) => store.live.live);

/** Beside every screen: live, or since when not. */
export function LiveMark() {
  const live = useStore((store) => store.live);
  const now = useNow(!live.live);
  if (live.live)
    return (
      <span className="live">
        <span className="live-dot" aria-hidden="true" /> live
      </span>
    );
  return (
    <span className="live warn">
      <Glyph state="stale" /> not live since {clock(live.since, now)} ({coarse(now - live.since)})
    </span>
  );
}

export function NotLive() {
  const live = useStore((store) => store.live);
  const now = useNow(!live.live);
  const version = useStore((store) => store.home.value?.version);
  if (live.live) return version === undefined ? null : <OtherVersion version={version} />;
  return (
    <div className="banner" role="status">
      <strong>Not live.</strong> What you see was so at {clock(live.since, now)}. It stays readable; nothing can be
      decided from here until the connection is back.{" "}
      {live.refused ? (
        <>
          The server does not know this page any more: open it again with <code>signalbox ui</code>.
        </>
      ) : (
        <>
          {live.retryAt === null ? null : `Tries again in ${coarse(Math.max(0, live.retryAt - now))} · `}
          <button type="button" className="link" onClick={retryNow}>
            now
          </button>
        </>
      )}
    </div>
  );
}

let firstVersion: string | undefined;

/** The page that a browser still shows, and the server that was started anew, must be of one making. */
function OtherVersion({ version }: { readonly version: string }) {
  firstVersion ??= version;
  if (firstVersion === version) return null;
  return (
    <div className="banner" role="status">
      <strong>Another version.</strong> The server is {version} now, this page was made for {firstVersion}.{" "}
      <button type="button" className="link" onClick={() => location.reload()}>
        Load it again
      </button>
    </div>
  );
}
