import type { StepRow } from "../../../../src/views/page/page.ts";
import { formatElapsed } from "../../../parts/format.ts";
import { StateWord } from "../../../parts/glyph.tsx";
import { Clock } from "../../../parts/since.tsx";
import { StepKey } from "../../../parts/step-key.tsx";

export function StepPanel({ row }: { readonly row: StepRow }) {
  return (
    <>
      <header className="dock-head">
        <h2>
          <StepKey text={row.key} />
        </h2>
        <p className="quiet-text">
          <StateWord state={row.state} /> · {row.verb} · <Clock at={row.startedAt} />
          {row.ms === null ? "" : ` · ${formatElapsed(row.ms)}`}
        </p>
      </header>
      <p className="pad prose">{row.text}</p>
    </>
  );
}
