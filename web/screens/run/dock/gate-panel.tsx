import type { GateRow, RunPage } from "../../../../src/views/page/page.ts";
import { StateWord } from "../../../parts/glyph.tsx";
import { Clock } from "../../../parts/since.tsx";
import { StepKey } from "../../../parts/step-key.tsx";
import { FindingList } from "../../gate/findings.tsx";
import { GateRules } from "./gate-rules.tsx";

export function GatePanel({ page, row }: { readonly page: RunPage; readonly row: GateRow }) {
  return (
    <>
      <header className="dock-head">
        <h2>
          <StepKey text={row.key} />
        </h2>
        <p className="quiet-text">
          <StateWord state={row.state} /> · gate {row.gate} · round {row.round} · <Clock at={row.at} />
        </p>
      </header>
      <GateRules run={page.head.run} gate={row} />
      {row.findings.length > 0 ? (
        <div className="pad">
          <h3>Findings</h3>
          <FindingList findings={row.findings} />
        </div>
      ) : null}
    </>
  );
}
