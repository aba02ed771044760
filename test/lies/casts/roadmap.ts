import type { Json } from "../../../src/core/text/json.ts";
import type { Work } from "../entry.ts";
import { actionsOf, announcedAs, claimedOf, type MakeCast, type Plot } from "./cast.ts";

const success = { status: "success", evidence: ["done as the criteria ask, all tests pass"] };

const itemOf = (plot: Plot, id: number) => ({
  id,
  title: plot.request,
  priority: id,
  complexity: "simple",
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["it does what was asked for", ...plot.told.map((name) => `changes: ${name}`)],
  verification: [plot.verification],
  planningResearch: null,
  ...(id === 1 ? announcedAs("announces", plot) : {}),
});

const itemsOf = (plot: Plot) => (plot.next ? [1, 2] : [1]).map((id) => itemOf(plot, id));

export const roadmap: MakeCast = (plot) => ({
  args: [],
  files: { "roadmap.json": `${JSON.stringify({ items: itemsOf(plot), learnings: [] }, null, 2)}\n` },
  worker: "Implement",
  agents: [
    ...(plot.next ? [implementer(plot.next, { task: "2" })] : []),
    implementer(plot.work),
    { role: "Testing", do: actionsOf(plot.work.tests ?? {}, plot.work.tests && plot.work.run), output: success },
    { role: "Architect", output: { ...success, mode: "validation" } },
    { role: "Research", output: success },
    { role: "Review", output: { ...success, verdict: "ship" } },
  ],
});

const implementer = (work: Work, more: { readonly [key: string]: Json } = {}): Json => ({
  role: "Implement",
  ...more,
  do: actionsOf(work.change, work.tests ? undefined : work.run),
  output: { ...success, files: claimedOf(work).map((path) => `${path} — as the item asks`) },
});
