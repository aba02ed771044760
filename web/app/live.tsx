import { useNow, useStore } from "../data/hooks.ts";
import { retryNow } from "../data/store.ts";
import { formatRunningTime, formatTimeOfDay } from "../parts/format.ts";
import { Glyph } from "../parts/glyph.tsx";

export const useLive = (): boolean => useStore((store) => store.live.live);

/** Connection state: live, or since when not. */
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
      <Glyph state="stale" /> not live since {formatTimeOfDay(live.since, now)} ({formatRunningTime(now - live.since)})
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
      <strong>Not live.</strong> This page shows the state at {formatTimeOfDay(live.since, now)}. You can read it, but
      actions are disabled until the connection is restored.{" "}
      {live.refused ? (
        <>
          The session has expired. Open the dashboard again with <code>signalbox ui</code>.
        </>
      ) : (
        <>
          {live.retryAt === null ? null : `Retrying in ${formatRunningTime(Math.max(0, live.retryAt - now))} · `}
          <button type="button" className="link" onClick={retryNow}>
            retry now
          </button>
        </>
      )}
    </div>
  );
}

let firstVersion: string | undefined;

/** Warns if the loaded page and the restarted server have different versions. */
function OtherVersion({ version }: { readonly version: string }) {
  firstVersion ??= version;
  if (firstVersion === version) return null;
  return (
    <div className="banner" role="status">
      <strong>Version changed.</strong> The server now runs {version}; this page is for {firstVersion}.{" "}
      <button type="button" className="link" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
