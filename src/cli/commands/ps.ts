import { SignalboxError } from "../../core/failure/errors.ts";
import type { RunRow } from "../../core/ports/host.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatAge } from "../../surfaces/terminal/duration.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import { describeStatus, resolveStatus } from "../../views/run-status-text.ts";
import type { Call } from "../call.ts";
import { sendAbandoned } from "../notify/sender.ts";
import { foldRunOrDamage } from "../runs/fold-run.ts";
import { collectPresence } from "../runs/presence.ts";
import { isOwned, type RunStore, withRunStore } from "../runs/run-store.ts";

export async function listRuns(call: Call): Promise<number> {
  return withRunStore(
    call,
    async (store) => {
      const { host, world, places } = store;
      sendAbandoned(places);
      const now = world.now();
      const rows = await host.runs.list();
      const shown = await Promise.all(rows.map((row) => readCurrentRow(store, row)));
      if (call.json) call.emit({ v: 1, runs: shown.map(toRunDocument) });
      else for (const line of formatRuns(call, shown, now)) call.print(line);
      return 0;
    },
    () => {
      if (call.json) call.emit({ v: 1, runs: [] });
      else call.print("No runs yet. Start one with `signalbox run <pipeline>`, or try `signalbox demo`.");
      return 0;
    },
  );
}

/**
 * Returns a row with its current status. A row knows how a run was suspended or ended; what an active run does or waits
 * for is only in its journal.
 */
async function readCurrentRow(store: RunStore, row: RunRow): Promise<RunRow> {
  const owned = isOwned(store, row);
  if (row.status !== "running" || !(owned || store.team)) return { ...row, status: resolveStatus(row.status, owned) };
  const view = await foldRunOrDamage(store.host, row.id);
  if (view instanceof SignalboxError) return { ...row, status: "broken", reason: view.message };
  const { status, because } = describeStatus(view, await collectPresence(store, row, view));
  return { ...row, status, reason: because };
}

function toRunDocument({ id, pipeline, status, exit, reason, createdAt, owner }: RunRow) {
  return { run: id, pipeline, status, exit, reason, createdAt, owner };
}

function formatRuns(call: Call, rows: readonly RunRow[], now: number): string[] {
  const { paint } = call;
  const chooseStatusColor = (status: string): ((text: string) => string) => {
    // Not green: only the journal knows whether all gates passed.
    if (status === "done") return paint.dim;
    return status === "error" || status === "broken" ? paint.red : paint.yellow;
  };
  const head = ["RUN", "PIPELINE", "STATUS", "STARTED", "REASON"].map((text) => ({ text, painted: paint.dim(text) }));
  const body = rows.map((row) => [
    { text: row.id, painted: paint.bold(row.id) },
    { text: row.pipeline },
    { text: row.status, painted: chooseStatusColor(row.status)(row.status) },
    { text: formatAge(now - row.createdAt) },
    { text: toOneLine(row.reason ?? "", 60) },
  ]);
  return formatTable([head, ...body]);
}
