import type { AttemptLine } from "../../../../src/views/page/page.ts";
import { formatDollars, formatElapsed } from "../../../parts/format.ts";
import { StateWord } from "../../../parts/glyph.tsx";

export function AttemptList({ attempts }: { readonly attempts: readonly AttemptLine[] }) {
  return (
    <ol className="attempts">
      {attempts.map((each) => (
        <li key={each.effect}>
          {each.attempt}. <StateWord state={each.state} /> {each.because} ·{" "}
          {each.ms === null ? "running" : formatElapsed(each.ms)} ·{" "}
          {each.usd === null ? "cost not reported" : formatDollars(each.usd)}
        </li>
      ))}
    </ol>
  );
}
