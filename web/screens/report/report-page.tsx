import type { PublicEvent } from "../../../src/surfaces/server/port/documents.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { toRunPath, usePageLocation } from "../../app/router.tsx";
import type { ReportData } from "../../data/report-data.ts";
import { FileDiffView } from "../../parts/diff.tsx";
import { formatInteger, formatQuantity } from "../../parts/format.ts";
import { Mark } from "../../parts/mark.tsx";
import { CostView } from "../cost/cost.tsx";
import { GatesView } from "../gate/gate.tsx";
import { RunView } from "../run/run.tsx";
import { PrintedRun } from "./printed-run.tsx";

/** A run from a file: the run page without server features, followed by all details for printing. */
export function ReportPage({ given }: { readonly given: ReportData }) {
  const { page, events, diff } = given;
  return (
    <main className="report">
      <header className="top-bar">
        <span className="brand">
          <Mark /> signalbox
        </span>
        <span className="quiet-text">
          run report · from the journal up to record {formatInteger(page.seq)} · self-contained file
        </span>
      </header>
      <Screen page={page} {...(events ? { events } : {})} />
      <PrintedRun page={page} />
      {diff ? (
        <section className="page">
          <h2>Changes: {formatQuantity(diff.files.length, "file")}</h2>
          {diff.files.map((file) => (
            <FileDiffView key={file.path} file={file} />
          ))}
        </section>
      ) : null}
    </main>
  );
}

type ScreenProps = { readonly page: RunPage; readonly events?: readonly PublicEvent[] };

/** The screens of a run that work without a server. */
function Screen({ page, events }: ScreenProps) {
  const { path } = usePageLocation();
  const gates = toRunPath(page.head.run, "/gates");
  if (path === toRunPath(page.head.run, "/cost")) return <CostView page={page} />;
  if (path === gates || path.startsWith(`${gates}/`)) {
    return <GatesView page={page} gate={decodeURIComponent(path.slice(gates.length + 1))} />;
  }
  return <RunView page={page} {...(events ? { events } : {})} />;
}
