import { actionsOf, changeOf, claimedOf, type MakeCast } from "./cast.ts";

export const task: MakeCast = (plot) => ({
  args: [plot.request],
  files: {},
  worker: "developer",
  agents: [
    {
      role: "*",
      do: actionsOf(changeOf(plot.work), plot.work.run),
      output: {
        status: "done",
        subject: "do as asked",
        summary: `All tests pass: ${claimedOf(plot.work).join(", ")}`,
        kind: "refactor",
      },
    },
  ],
});
