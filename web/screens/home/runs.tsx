import { KeyBar } from "../../app/help.tsx";
import { moveFocus, useKeys } from "../../app/keyboard.ts";
import { Link } from "../../app/router.tsx";
import { useStore } from "../../data/hooks.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { NoRuns } from "./empty.tsx";
import { RecentTable } from "./recent.tsx";

const KEYS = [
  ["j k", "run"],
  ["↵", "open"],
  ["/", "filter"],
] as const;

export function RunsScreen() {
  const { value: home, error } = useStore((store) => store.home);
  useKeys({ j: () => moveFocus(1), k: () => moveFocus(-1) });
  if (!home) return error ? <Failure error={error} /> : <Skeleton what="the runs of this machine" />;
  const runs = [...home.running, ...home.recent];
  return (
    <div className="page">
      <div className="title-row">
        <h1 className="first-line">Runs</h1>
        <Link className="button primary" href="/start">
          Start a run
        </Link>
      </div>
      {runs.length === 0 ? <NoRuns /> : <RecentTable runs={runs} repositories={home.repositories.length} title="All" />}
      <KeyBar keys={KEYS} />
    </div>
  );
}
