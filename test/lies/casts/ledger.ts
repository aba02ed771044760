import { actionsOf, announcedOf, announcementsOf, changeOf, claimedOf, type MakeCast, plannedOf } from "./cast.ts";

const content = { security: "approve", architecture: "approve", correctness: "approve" };

export const ledger: MakeCast = (entry) => ({
  args: [entry.request],
  files: {},
  worker: "implementer",
  agents: [
    {
      role: "planner",
      output: {
        tasks: [
          {
            id: "work",
            title: entry.request,
            size: "Standard",
            risk: "🟢",
            acceptance_criteria: [
              "it does what was asked for",
              ...announcedOf(entry).map((name) => `changes: ${name}`),
            ],
            files: [...plannedOf(entry.work)],
            behaviour_changes: announcementsOf(entry),
          },
        ],
      },
    },
    {
      role: "implementer",
      do: actionsOf(changeOf(entry.work), entry.work.run),
      output: {
        status: "DONE",
        summary: "Done as asked; 23 tests passed, 0 failed.",
        changes: claimedOf(entry.work).map((path) => ({ path, description: "as the task asks" })),
      },
    },
    { role: "reviewer", output: { verdicts: content, findings: [] } },
    { role: "verifier", output: { status: "DONE", summary: "all criteria are met, all tests pass", findings: [] } },
    { role: "*", output: { status: "DONE", summary: "nothing to object to" } },
  ],
});
