import { actionsOf, announcedAs, changeOf, claimedOf, type MakeCast, plannedOf } from "./cast.ts";

const content = { security: "approve", architecture: "approve", correctness: "approve" };

export const ledger: MakeCast = (plot) => ({
  args: [plot.request],
  files: {},
  worker: "implementer",
  agents: [
    {
      role: "planner",
      output: {
        tasks: [
          {
            id: "work",
            title: plot.request,
            size: "Standard",
            risk: "🟢",
            acceptance_criteria: ["it does what was asked for", ...plot.told.map((name) => `changes: ${name}`)],
            ...announcedAs("behaviour_changes", plot),
            files: [...plannedOf(plot.work)],
          },
        ],
      },
    },
    {
      role: "implementer",
      do: actionsOf(changeOf(plot.work), plot.work.run),
      output: {
        status: "DONE",
        summary: "Done as asked; 23 tests passed, 0 failed.",
        changes: claimedOf(plot.work).map((path) => ({ path, description: "as the task asks" })),
      },
    },
    { role: "reviewer", output: { verdicts: content, findings: [] } },
    { role: "verifier", output: { status: "DONE", summary: "all criteria are met, all tests pass", findings: [] } },
    { role: "*", output: { status: "DONE", summary: "nothing to object to" } },
  ],
});
