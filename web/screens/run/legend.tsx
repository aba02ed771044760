import type { RunPage } from "../../../src/views/page/page.ts";
import { STATES, type StateName } from "../../../src/views/states.ts";
import { StateWord } from "../../parts/glyph.tsx";

/** Explains the glyphs in use. States with the same glyph share an entry. */
export function Legend({ rows }: { readonly rows: RunPage["rows"] }) {
  const seen = new Set(rows.filter(({ kind }) => kind !== "check" && kind !== "step").map(({ state }) => state));
  const names = (Object.keys(STATES) as StateName[]).filter((name) => seen.has(name));
  return (
    <p className="legend">
      {[...Map.groupBy(names, (name) => `${STATES[name].glyph} ${STATES[name].tone}`).values()].map((alike) => (
        <StateWord
          key={alike[0]}
          state={alike[0] ?? "unknown"}
          word={alike.map((name) => STATES[name].word).join(", ")}
        />
      ))}
    </p>
  );
}
