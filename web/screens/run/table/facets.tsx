import { memo } from "react";
import { STATES, type StateName } from "../../../../src/views/states.ts";
import { useParam } from "../../../app/router.tsx";
import { formatInteger } from "../../../parts/format.ts";
import { StateWord } from "../../../parts/glyph.tsx";
import type { SelectableRow } from "../rows.ts";
import type { Grouping } from "./table-entries.ts";

const GROUPINGS: readonly (readonly [Grouping, string])[] = [
  ["none", "none"],
  ["name", "first part of the name"],
  ["phase", "phase"],
  ["rule", "rule"],
];

/** Filters with the number of matching rows. */
export const Facets = memo(
  ({ rows, grouping }: { readonly rows: readonly SelectableRow[]; readonly grouping: Grouping }) => {
    const [text, setText] = useParam("find");
    const [, setGrouping] = useParam("group");
    const seen = new Set(rows.map(({ state }) => state));
    const states = (Object.keys(STATES) as StateName[]).filter((name) => seen.has(name));
    return (
      <aside className="card facets" aria-label="Filters">
        <input
          data-filter
          aria-label="Filter steps"
          placeholder="filter"
          value={text ?? ""}
          onChange={(event) => setText(event.target.value || null)}
        />
        <Facet title="State" name="state" rows={rows} values={states} of={({ state }) => state} />
        <Facet title="Kind" name="kind" rows={rows} of={({ kind }) => kind} />
        <Facet title="Phase" name="phase" rows={rows} of={({ phase }) => phase} />
        <h2>Group by</h2>
        {GROUPINGS.map(([each, label]) => (
          <button key={each} type="button" aria-pressed={each === grouping} onClick={() => setGrouping(each)}>
            {label}
          </button>
        ))}
      </aside>
    );
  },
);

type FacetProps = {
  readonly title: string;
  readonly name: string;
  readonly rows: readonly SelectableRow[];
  readonly values?: readonly string[];
  readonly of: (row: SelectableRow) => string;
};

function Facet({ title, name, rows, of, values }: FacetProps) {
  const [value, setValue] = useParam(name);
  const counts = Map.groupBy(rows, of);
  return (
    <>
      <h2>{title}</h2>
      {(values ?? [...counts.keys()]).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={value === each}
          onClick={() => setValue(value === each ? null : each)}
        >
          {name === "state" ? <StateWord state={each as StateName} /> : <span>{each || "–"}</span>}
          <span className="num">{formatInteger(counts.get(each)?.length ?? 0)}</span>
        </button>
      ))}
    </>
  );
}
