import type { RunRow } from "../../core/ports/host.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { ago } from "../../surfaces/terminal/duration.ts";
import { table } from "../../surfaces/terminal/table.ts";
import { statusNow } from "../../views/run-status-text.ts";
import type { Call } from "../call.ts";
import { sendWhatWasLeft } from "../notify/sender.ts";
import { isOwned, withRunStore } from "../runs/run-store.ts";

export async function ps(call: Call): Promise<number> {
  return withRunStore(
    call,
    async ({ host, world, places }) => {
      sendWhatWasLeft(places);
      const now = world.now();
      const rows = await host.runs.list();
      const shown = rows.map((row) => ({ ...row, status: statusNow(row.status, isOwned(row, now)) }));
      if (call.json) call.emit({ v: 1, runs: shown.map(documentOf) });
      else for (const line of linesOf(call, shown, now)) call.print(line);
      return 0;
    },
    () => {
      if (call.json) call.emit({ v: 1, runs: [] });
      else call.print("No runs yet. Start one: signalbox run <pipeline>, or look around: signalbox demo");
      return 0;
    },
  );
}

function documentOf({ id, pipeline, status, exit, reason, createdAt, owner }: RunRow) {
  return { run: id, pipeline, status, exit, reason, createdAt, owner };
}

function linesOf(call: Call, rows: readonly RunRow[], now: number): string[] {
  const { paint } = call;
  const colour = (status: string): ((text: string) => string) => {
    if (status === "done") return paint.green;
    return status === "error" || status === "broken" ? paint.red : paint.yellow;
  };
  const head = ["RUN", "PIPELINE", "STATUS", "STARTED", "BECAUSE"].map((text) => ({ text, painted: paint.dim(text) }));
  const body = rows.map((row) => [
    { text: row.id, painted: paint.bold(row.id) },
    { text: row.pipeline },
    { text: row.status, painted: colour(row.status)(row.status) },
    { text: ago(now - row.createdAt) },
    { text: oneLine(row.reason ?? "", 60) },
  ]);
  return table([head, ...body]);
}
