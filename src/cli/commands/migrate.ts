import { hidePassword } from "../../core/text/database-address.ts";
import { migrateTeam } from "../../hosts/dbos/migrate-team.ts";
import type { Call } from "../call.ts";
import { resolvePlaces } from "../project/repository.ts";
import { createNoTeamError } from "../team/require-team.ts";
import { resolvePostgres } from "../team/team.ts";

/** Migrates the team's tables. Every other command refuses tables of another version. */
export async function migrateTables(call: Call): Promise<number> {
  // The address may come from a repository, but creating tables does not need one.
  const places = await resolvePlaces(call.dir).catch(() => undefined);
  const url = await resolvePostgres(call, places);
  if (url === undefined) throw createNoTeamError("migrate");
  const { from, to } = await migrateTeam(url);
  const where = hidePassword(url);
  if (call.json) call.emit({ v: 1, postgres: where, from, to });
  else if (from === to) call.print(`${call.paint.green("✓")} ${where} is up to date (version ${to})`);
  else call.print(`${call.paint.green("✓")} ${where} migrated from version ${from} to ${to}`);
  return 0;
}
