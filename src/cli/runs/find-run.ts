import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host, RunRow } from "../../core/ports/host.ts";

/** Finds a run by id, by unique prefix, or the newest one of the repository. */
export async function findRun(host: Host, repo: string, asked: string | undefined): Promise<RunRow> {
  // The database is located in the repository and moves with it, so all of its runs belong here.
  const rows = await host.runs.list();
  if (asked === undefined) {
    if (rows[0]) return rows[0];
    throw createNoRunsError(repo);
  }
  const exact = rows.find((row) => row.id === asked);
  if (exact) return exact;
  const matches = rows.filter((row) => row.id.startsWith(asked));
  if (matches.length === 1 && matches[0]) return matches[0];
  if (matches.length === 0) {
    throw new SignalboxError(
      "RUN_UNKNOWN",
      `No run in this repository matches "${asked}".`,
      "List runs with `signalbox ps`.",
    );
  }
  const ids = matches.slice(0, 5).map((row) => row.id);
  throw new SignalboxError(
    "RUN_AMBIGUOUS",
    `"${asked}" matches ${matches.length} runs: ${ids.join(", ")}${matches.length > 5 ? " …" : ""}.`,
    "Use a longer prefix.",
  );
}

export function createNoRunsError(repo: string): SignalboxError {
  return new SignalboxError("RUN_UNKNOWN", `${repo} has no runs yet.`, "Start one with `signalbox run <pipeline>`.");
}
