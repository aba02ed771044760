import { z } from "zod";
import { formatTable } from "../../surfaces/terminal/table.ts";

const PlannedTasks = z.array(z.object({ id: z.string(), title: z.string(), depends_on: z.array(z.string()) }));

/** Formats the plan that a person is asked to approve, one line per task. */
export function formatPlan(show: unknown): string[] {
  const rows = PlannedTasks.parse(show).map(({ id, title, depends_on: after }) => [
    { text: `  ${id}` },
    { text: title },
    { text: after.length > 0 ? `after ${after.join(", ")}` : "" },
  ]);
  return formatTable(rows);
}
