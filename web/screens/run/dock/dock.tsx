import type { RunPage } from "../../../../src/views/page/page.ts";
import type { SelectableRow } from "../rows.ts";
import { CheckPanel } from "./check-panel.tsx";
import { DispatchPanel } from "./dispatch-panel.tsx";
import { GatePanel } from "./gate-panel.tsx";
import { QuestionPanel } from "./question-panel.tsx";
import { StepPanel } from "./step-panel.tsx";

/** The panel of the selected row. */
export function Dock({ page, row }: { readonly page: RunPage; readonly row: SelectableRow | undefined }) {
  if (!row) return null;
  return (
    <section className={`card dock ${row.kind}-dock`} aria-label="Selected step" tabIndex={-1}>
      <Panel page={page} row={row} />
    </section>
  );
}

function Panel({ page, row }: { readonly page: RunPage; readonly row: SelectableRow }) {
  if (row.kind === "dispatch") return <DispatchPanel key={row.id} page={page} row={row} />;
  if (row.kind === "gate") return <GatePanel page={page} row={row} />;
  if (row.kind === "question") return <QuestionPanel page={page} row={row} />;
  return row.kind === "check" ? <CheckPanel page={page} row={row} /> : <StepPanel row={row} />;
}
