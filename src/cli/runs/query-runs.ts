import { askLedger, type LedgerAnswer } from "../../surfaces/ask/ask.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { createRealWorld } from "../real-world.ts";
import type { Team } from "../team/team.ts";

/** Runs one SELECT on the recorded runs, in the local file or the team's database. */
export async function queryRuns(places: RepositoryPlaces, team: Team | undefined, sql: string): Promise<LedgerAnswer> {
  if (!team) return askLedger({ file: places.database, sql });
  const { openTeamStore } = await import("../team/team-store.ts");
  const { host, team: shared } = await openTeamStore({ team, places, world: createRealWorld() });
  try {
    const { rows, ...answer } = await shared.store.rows(sql);
    return { ...answer, rows: rows.map((row) => row.map(toCell)) };
  } finally {
    await host.close();
  }
}

function toCell(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  return JSON.stringify(value);
}
