import type { CheckRow, DispatchRow, GateRow, RunPage } from "../../../../src/views/page/page.ts";
import { groupRows } from "../rows.ts";

export type CheckPair = { readonly check: CheckRow; readonly before: CheckRow | undefined };

/** Lists the check results for the tree that an agent left, each with the same check on the baseline. */
export function listEvidence({ rows }: RunPage, dispatch: DispatchRow): readonly CheckPair[] {
  const { checks } = groupRows(rows);
  const tree = getLeftTree(dispatch);
  if (tree === null) return [];
  const own = (check: CheckRow) => check.task === dispatch.task || check.task === "";
  return checks
    .filter((check) => check.when === "after" && check.tree === tree && own(check))
    .map((check) => ({
      check,
      before: checks.findLast((each) => each.when === "baseline" && each.check === check.check && each.seq < check.seq),
    }));
}

/** Lists the gates that evaluated the dispatch: those of its tree, otherwise the next one of its phase and round. */
export function listGates({ rows }: RunPage, dispatch: DispatchRow): readonly GateRow[] {
  const { gates } = groupRows(rows);
  const tree = getLeftTree(dispatch);
  const later = gates.filter(({ seq }) => seq > dispatch.seq);
  const same = tree === null ? [] : later.filter((gate) => gate.tree === tree && isForDispatch(gate, dispatch));
  if (same.length > 0) return same;
  return later.filter((gate) => gate.phase === dispatch.phase && gate.round === dispatch.round).slice(0, 1);
}

const isForDispatch = ({ gate, key }: GateRow, { instance, phase }: DispatchRow): boolean =>
  instance === "" || gate.includes(instance) || key.includes(`/${instance}/`) || key.startsWith(`${phase}/`);

export const getLeftTree = (dispatch: DispatchRow): string | null =>
  dispatch.attempts.findLast(({ tree }) => tree !== null)?.tree ?? null;
