import { memo, useMemo, useState } from "react";
import type { RunPage } from "../../../../src/views/page/page.ts";
import { useKeys } from "../../../app/keyboard.ts";
import { usePhone } from "../../../app/phone.ts";
import { useParam } from "../../../app/router.tsx";
import { formatInteger } from "../../../parts/format.ts";
import { StateWord } from "../../../parts/glyph.tsx";
import { VirtualRows } from "../../../parts/virtual.tsx";
import { explainRow, getRound, getRowName, isFailure, isHuge, listSelectable, type SelectableRow } from "../rows.ts";
import { selectRow } from "../selected-row.ts";
import { Density } from "./density.tsx";
import { Facets } from "./facets.tsx";
import { buildTableEntries, type Grouping, sortFailuresFirst, type TableEntry } from "./table-entries.ts";

const ROW_HEIGHT = 28;

export function StepTable({ page, chosen }: { readonly page: RunPage; readonly chosen: string | undefined }) {
  const huge = isHuge(page.rows);
  const [group] = useParam("group");
  const grouping = (group ?? (huge ? "name" : "none")) as Grouping;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const all = listSelectable(page.rows);
  const rows = useFiltered(all);
  const entries = useMemo(
    () => buildTableEntries(huge ? sortFailuresFirst(rows) : rows, grouping, opened),
    [rows, grouping, opened, huge],
  );
  const current = useMemo(
    () => entries.findIndex((entry) => entry.kind === "row" && entry.row.id === chosen),
    [entries, chosen],
  );
  const toggle = (name: string): void => setOpened(opened.symmetricDifference(new Set([name])));
  const phone = usePhone();
  const facets = <Facets rows={all} grouping={grouping} />;
  useTableKeys(entries, current);
  return (
    <>
      {huge ? <Density rows={page.rows} /> : null}
      <div className="table-view">
        {phone ? (
          <details className="card">
            <summary>Filter and group</summary>
            {facets}
          </details>
        ) : (
          facets
        )}
        <section className="card step-table">
          <div className="step-row step-head" aria-hidden="true">
            <span>Step</span>
            <span>Phase</span>
            <span>Round</span>
            <span>State</span>
            <span>Reason</span>
            <span className="num">Record</span>
          </div>
          <VirtualRows
            items={entries}
            rowHeight={ROW_HEIGHT}
            label="Steps"
            current={current}
            kept={chosen}
            render={(entry) =>
              entry.kind === "group" ? (
                <GroupLine key={`group ${entry.name}`} group={entry} onToggle={() => toggle(entry.name)} />
              ) : (
                <StepLine key={entry.row.id} row={entry.row} chosen={entry.row.id === chosen} />
              )
            }
          />
          <p className="note pad">
            {formatInteger(rows.length)} of {formatInteger(all.length)} steps
          </p>
        </section>
      </div>
    </>
  );
}

function useFiltered(all: readonly SelectableRow[]): readonly SelectableRow[] {
  const [state] = useParam("state");
  const [kind] = useParam("kind");
  const [phase] = useParam("phase");
  const [find] = useParam("find");
  const text = (find ?? "").toLowerCase();
  return useMemo(() => {
    if (state === null && kind === null && phase === null && text === "") return all;
    return all.filter(
      (row) =>
        (state === null || row.state === state) &&
        (kind === null || row.kind === kind) &&
        (phase === null || row.phase === phase) &&
        (text === "" || `${row.key} ${getRowName(row)} ${explainRow(row)}`.toLowerCase().includes(text)),
    );
  }, [all, state, kind, phase, text]);
}

/** Moves the selection along the rows in displayed order. */
function useTableKeys(entries: readonly TableEntry[], current: number): void {
  const selectNext = (by: 1 | -1, fits: (row: SelectableRow) => boolean = () => true): void => {
    for (let at = current + by; at >= 0 && at < entries.length; at += by) {
      const entry = entries[at];
      if (entry?.kind !== "row" || !fits(entry.row)) continue;
      selectRow(entry.row.id);
      return;
    }
  };
  useKeys({ j: () => selectNext(1), k: () => selectNext(-1), f: () => selectNext(1, isFailure) });
}

type GroupProps = { readonly group: Extract<TableEntry, { kind: "group" }>; readonly onToggle: () => void };

function GroupLine({ group, onToggle }: GroupProps) {
  return (
    <button type="button" className="step-row group-row" aria-expanded={group.open} onClick={onToggle}>
      <span>
        {group.open ? "▾" : "▸"} {group.name}
      </span>
      <span />
      <span />
      <span>
        {group.failed > 0 ? <StateWord state="failed" word={`${formatInteger(group.failed)} failed`} /> : null}
      </span>
      <span>of {formatInteger(group.of)}</span>
      <span />
    </button>
  );
}

/** Removes the phase from the key, because it has its own column. */
const removePhase = ({ key, phase }: SelectableRow): string =>
  key.startsWith(`${phase}/`) ? key.slice(phase.length + 1) : key;

/** Memoized, because usually few of several thousand rows change. */
const StepLine = memo(({ row, chosen }: { readonly row: SelectableRow; readonly chosen: boolean }) => (
  <button type="button" className="step-row" aria-pressed={chosen} onClick={() => selectRow(row.id)} title={row.key}>
    <span className="step-cell">
      <code>{row.kind === "check" ? getRowName(row) : removePhase(row)}</code>
    </span>
    <span>{row.phase}</span>
    <span>{getRound(row) > 0 ? getRound(row) : "–"}</span>
    <span>
      <StateWord state={row.state} />
    </span>
    <span className="step-cell">{explainRow(row)}</span>
    <span className="num quiet-text">{formatInteger(row.seq)}</span>
  </button>
));
