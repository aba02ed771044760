import type { Json } from "../../../src/core/json.ts";
import type { Entry, Work } from "../entry.ts";
import { projects } from "../projects/all.ts";
import { actionsOf, announcedOf, announcementsOf, claimedOf, type MakeCast } from "./cast.ts";

const success = { status: "success", evidence: ["done as the criteria ask, all tests pass"] };

const COMMANDS = { javascript: "node --test", python: "python3 -m unittest", cpp: "make test" } as const;

const itemOf = (entry: Entry, id: number) => ({
  id,
  title: entry.request,
  priority: id,
  complexity: "simple",
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["it does what was asked for", ...announcedOf(entry).map((name) => `changes: ${name}`)],
  verification: [commandOf(entry)],
  planningResearch: null,
  ...(isAnnounced(entry, id) ? { announces: announcementsOf(entry) } : {}),
});

/**
 * The roadmap is a person's: an honest one says beforehand what its item makes wrong, and a liar has no hand in it. With
 * a second item the first one's announcement is there for the liar to use.
 */
const isAnnounced = (entry: Entry, id: number): boolean =>
  id === 1 && announcedOf(entry).length > 0 && (entry.kind === "honest" || entry.next !== undefined);

const itemsOf = (entry: Entry) => (entry.next ? [1, 2] : [1]).map((id) => itemOf(entry, id));

export const roadmap: MakeCast = (entry) => ({
  args: [],
  files: { "roadmap.json": `${JSON.stringify({ items: itemsOf(entry), learnings: [] }, null, 2)}\n` },
  worker: "Implement",
  agents: [
    ...(entry.next ? [implementer(entry.next, { task: "2" })] : []),
    implementer(entry.work),
    { role: "Testing", do: actionsOf(entry.work.tests ?? {}, entry.work.tests && entry.work.run), output: success },
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

/** What the item's own list of verifications says; where there is no test, what a person would read. */
function commandOf({ project }: Entry): string {
  if (project === "untested" || project === "plain") return "read the sources";
  return project === "npm" ? "npm test" : COMMANDS[projects[project].language];
}
