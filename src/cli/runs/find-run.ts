import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host, RunRow } from "../../core/ports/host.ts";

/** The run that was meant: by id, by a prefix that only one has, or the newest of this repository. */
export async function findRun(host: Host, repo: string, asked: string | undefined): Promise<RunRow> {
  // The database lies in the repository and moves with it: whatever is in it belongs here.
  const rows = await host.runs.list();
  if (asked === undefined) {
    if (rows[0]) return rows[0];
    throw noRuns(repo);
  }
  const exact = rows.find((row) => row.id === asked);
  if (exact) return exact;
  const matches = rows.filter((row) => row.id.startsWith(asked));
  if (matches.length === 1 && matches[0]) return matches[0];
  if (matches.length === 0) {
    throw new SignalboxError("RUN_UNKNOWN", `No run of this repository is named "${asked}".`, "See `signalbox ps`.");
  }
  const ids = matches.slice(0, 5).map((row) => row.id);
  throw new SignalboxError(
    "RUN_AMBIGUOUS",
    `"${asked}" is the beginning of ${matches.length} runs: ${ids.join(", ")}${matches.length > 5 ? " …" : ""}.`,
    "Give one more character.",
  );
}

export function noRuns(repo: string): SignalboxError {
  return new SignalboxError(
    "RUN_UNKNOWN",
    `There is no run of ${repo} yet.`,
    "Start one with `signalbox run <pipeline>`.",
  );
}
