import type { Home } from "../../../src/surfaces/server/port/documents.ts";
import { KeyBar } from "../../app/help.tsx";
import { moveFocus, useKeys } from "../../app/keyboard.ts";
import { Link } from "../../app/router.tsx";
import { useNow, useStore } from "../../data/hooks.ts";
import { formatTimeOfDay } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { NoRuns } from "./empty.tsx";
import { listNeeds, listRecent, listRunning } from "./list-needs.ts";
import { NeedsList } from "./needs.tsx";
import { RecentTable } from "./recent.tsx";
import { RunningTable } from "./running.tsx";
import { Title } from "./title.tsx";

const KEYS = [
  ["j k", "run"],
  ["↵", "open"],
  ["a", "first question"],
  ["g i", "inbox"],
  ["/", "filter"],
  ["⌘K", "search"],
] as const;

export function HomeScreen() {
  const { value: home, error } = useStore((store) => store.home);
  useKeys({ j: () => moveFocus(1), k: () => moveFocus(-1) });
  const now = useNow();
  if (!home) return error ? <Failure error={error} /> : <Skeleton what="the runs of this machine" />;
  return (
    <div className="page">
      <h1 className="visually-hidden">Home</h1>
      {isEmpty(home) ? <NoRuns /> : <Lists home={home} />}
      <KeyBar keys={KEYS} right={formatTimeOfDay(now)} />
    </div>
  );
}

/** Returns whether there are no runs. Repositories that cannot be read may contain some. */
function isEmpty({ running, recent, needs, unreadable }: Home): boolean {
  return [running, recent, needs, unreadable].every((list) => list.length === 0);
}

function Lists({ home }: { readonly home: Home }) {
  const needs = listNeeds(home);
  const running = listRunning(home);
  return (
    <>
      {needs.length > 0 ? (
        <section>
          <Title text="Needs you" count={needs.length} warn />
          <NeedsList needs={needs} />
        </section>
      ) : null}
      <section>
        <Title text="Running" count={running.length} />
        {running.length > 0 ? (
          <RunningTable runs={running} />
        ) : (
          <p className="card pad quiet-text">
            {home.unreadable.length > 0 ? "No readable run is running." : "No runs are running."}{" "}
            <Link href="/start">Start a run</Link>
          </p>
        )}
      </section>
      <RecentTable runs={listRecent(home)} repositories={home.repositories.length} title="Recent" />
    </>
  );
}
