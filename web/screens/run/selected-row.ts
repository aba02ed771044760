import { useMemo } from "react";
import type { RunPage } from "../../../src/views/page/page.ts";
import { setParams, useParam } from "../../app/router.tsx";
import { groupRows, isFailure, listSelectable, type SelectableRow } from "./rows.ts";

/** Returns the row from the URL, or by default the most relevant one. */
export function useSelectedRow(page: RunPage): readonly [SelectableRow | undefined, (id: string | null) => void] {
  const [id, setId] = useParam("row");
  const chosen = useMemo(() => {
    const found = page.rows.find((row) => row.id === id);
    return found && found.kind !== "phase" ? found : findDefaultRow(page);
  }, [page, id]);
  return [chosen, setId];
}

export const selectRow = (id: string): void => setParams({ row: id, tab: null });

function findDefaultRow({ head, rows }: RunPage): SelectableRow | undefined {
  const { questions, dispatches, gates } = groupRows(rows);
  const open = questions.find(({ answer }) => answer === null);
  if (open && (head.state === "waiting" || head.state === "paused")) return open;
  if (head.state === "error") {
    const failed = [...gates, ...dispatches].filter(isFailure).at(-1);
    if (failed) return failed;
  }
  const contradicted = dispatches.filter((row) => row.contradictedBy.length > 0).at(-1);
  return (
    contradicted ??
    dispatches.find((row) => row.state === "running") ??
    dispatches.findLast((row) => row.changed.length > 0) ??
    dispatches.at(-1) ??
    listSelectable(rows).at(-1)
  );
}
