import type { RunPage } from "../../../src/views/page/page.ts";
import { STATES, type StateName } from "../../../src/views/states.ts";
import { StateWord } from "../../parts/glyph.tsx";

/** A glyph alone says nothing to who sees it first: those that are drawn are named once. */
export function Legend({ rows }: { readonly rows: RunPage["rows"] }) {
  const seen = new Set(rows.filter(({ kind }) => kind !== "check" && kind !== "step").map(({ state }) => state));
  const names = (Object.keys(STATES) as StateName[]).filter((name) => seen.has(name));
  return (
    <p className="legend">
      {names.map((name) => (
        <StateWord key={name} state={name} />
      ))}
    </p>
  );
}
