import type { JournalRecord } from "../../../core/journal/record.ts";

/**
 * Formats who has answered since the previous commit: `claude:opus (implementer, planner), codex (reviewer)`. Uses only
 * the journal, so that a repeated commit is identical. Returns undefined if no agent is known.
 */
export function formatAgentsTrailer(records: readonly JournalRecord[], before: number): string | undefined {
  const earlier = records.filter(({ seq }) => seq < before);
  const since = findLastCommitSeq(earlier);
  const players = earlier.flatMap((record) =>
    record.type === "agent.finished" && record.outcome === "done" && record.seq > since && record.by !== undefined
      ? [{ by: collapseSpaces(record.by), role: collapseSpaces(record.role) }]
      : [],
  );
  if (players.length === 0) return undefined;
  const named = [...Map.groupBy(players, ({ by }) => by)].map(([by, played]) => {
    const roles = [...new Set(played.map(({ role }) => role))].toSorted();
    return `${by} (${roles.join(", ")})`;
  });
  return `Signalbox-Agents: ${named.toSorted().join(", ")}`;
}

function findLastCommitSeq(records: readonly JournalRecord[]): number {
  const commits = new Set(
    records.flatMap((record) => (record.type === "step.started" && record.verb === "commit" ? [record.key] : [])),
  );
  const made = records.findLast((record) => record.type === "step.finished" && record.value && commits.has(record.key));
  return made?.seq ?? 0;
}

/** Collapses white space: a trailer is one line. */
const collapseSpaces = (text: string): string => text.replace(/\s+/g, " ").trim();
