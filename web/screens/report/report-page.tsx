import type { PublicEvent } from "../../../src/surfaces/server/port/answers.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { runPath, usePlace } from "../../app/router.tsx";
import type { Given } from "../../data/given.ts";
import { FileDiffView } from "../../parts/diff.tsx";
import { some, whole } from "../../parts/format.ts";
import { Mark } from "../../parts/mark.tsx";
import { CostView } from "../cost/cost.tsx";
import { GatesView } from "../gate/gate.tsx";
import { RunView } from "../run/run.tsx";
import { PrintedRun } from "./printed-run.tsx";

/** A run from disk: the same page without what needs a server, then everything written out, as paper needs it. */
export function ReportPage({ given }: { readonly given: Given }) {
  const { page, events, diff } = given;
  return (
    <main className="report">
      <header className="top-bar">
        <span className="brand">
          <Mark /> signalbox
        </span>
        <span className="quiet-text">
          run report · made from the journal up to record {whole(page.seq)} · this file is complete and needs no server
        </span>
      </header>
      <Screen page={page} {...(events ? { events } : {})} />
      <PrintedRun page={page} />
      {diff ? (
        <section className="page">
          <h2>Changed: {some(diff.files.length, "file")}</h2>
          {diff.files.map((file) => (
            <FileDiffView key={file.path} file={file} />
          ))}
        </section>
      ) : null}
    </main>
  );
}

type ScreenProps = { readonly page: RunPage; readonly events?: readonly PublicEvent[] };

/** Those screens of a run that its page alone can fill. */
function Screen({ page, events }: ScreenProps) {
  const { path } = usePlace();
  const gates = runPath(page.head.run, "/gates");
  if (path === runPath(page.head.run, "/cost")) return <CostView page={page} />;
  if (path === gates || path.startsWith(`${gates}/`)) {
    return <GatesView page={page} gate={decodeURIComponent(path.slice(gates.length + 1))} />;
  }
  return <RunView page={page} {...(events ? { events } : {})} />;
}
