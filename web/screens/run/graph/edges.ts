import type { BackEdge } from "../../../../src/views/page/page.ts";

/** An edge to an earlier phase, drawn below the columns. Edges between the same phases are merged. */
export type Edge = {
  readonly from: number;
  readonly to: number;
  readonly lane: number;
  readonly label: string;
  readonly more: number;
  readonly all: string;
};

export function buildEdges(backEdges: readonly BackEdge[], phases: readonly string[]): readonly Edge[] {
  const groups = Map.groupBy(backEdges, ({ from, to }) => `${phases.indexOf(from)} ${phases.indexOf(to)}`);
  const edges: Edge[] = [];
  for (const [key, group] of groups) {
    const [from = -1, to = -1] = key.split(" ").map(Number);
    const last = group.at(-1);
    if (from < 0 || to < 0 || !last) continue;
    const label = last.label;
    const all = group.map((each) => `round ${each.round}: ${each.label}`).join("\n");
    edges.push({ from, to, label, more: group.length - 1, all, lane: findFreeLane(edges, from, to) });
  }
  return edges;
}

/** Returns the first lane without overlapping edges. */
function findFreeLane(edges: readonly Edge[], from: number, to: number): number {
  const taken = edges.filter((edge) => edge.to <= from && to <= edge.from).map(({ lane }) => lane);
  let lane = 0;
  while (taken.includes(lane)) lane++;
  return lane;
}
