import type { Entry } from "../entry.ts";
import { actionsOf, announcedOf, claimedOf, type MakeCast } from "./cast.ts";

const success = { status: "success", evidence: ["done as the criteria ask, all tests pass"] };

const COMMANDS = { javascript: "node --test", python: "python3 -m unittest", cpp: "make test" } as const;

const itemOf = (entry: Entry, command: string) => ({
  id: 1,
  title: entry.request,
  priority: 1,
  complexity: "simple",
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["it does what was asked for", ...announcedOf(entry).map((name) => `changes: ${name}`)],
  verification: [command],
  planningResearch: null,
  // The roadmap is a person's: an honest one says beforehand what its item makes wrong, and a liar has no hand in it.
  ...(entry.kind === "honest" && announcedOf(entry).length > 0 ? { announces: [announcementOf(entry)] } : {}),
});

const announcementOf = (entry: Entry) => ({
  was: "what these tests say",
  becomes: entry.request,
  tests: announcedOf(entry).map((name) => `*${name}*`),
});

export const roadmap: MakeCast = (entry) => ({
  args: [],
  files: {
    "roadmap.json": `${JSON.stringify({ items: [itemOf(entry, commandOf(entry))], learnings: [] }, null, 2)}\n`,
  },
  worker: "Implement",
  agents: [
    {
      role: "Implement",
      do: actionsOf(entry.work.change, entry.work.tests ? undefined : entry.work.run),
      output: { ...success, files: claimedOf(entry.work).map((path) => `${path} — as the item asks`) },
    },
    { role: "Testing", do: actionsOf(entry.work.tests ?? {}, entry.work.tests && entry.work.run), output: success },
    { role: "Architect", output: { ...success, mode: "validation" } },
    { role: "Research", output: success },
    { role: "Review", output: { ...success, verdict: "ship" } },
  ],
});

/** What the item's own list of verifications says; where there is no test, what a person would read. */
function commandOf({ project }: Entry): string {
  if (project === "untested" || project === "plain") return "read the sources";
  if (project === "npm") return "npm test";
  if (project === "python" || project === "cpp") return COMMANDS[project];
  return COMMANDS.javascript;
}
