import { SignalboxError } from "../../core/failure/errors.ts";
import type { Call } from "../call.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { resolveTeam, type Team } from "./team.ts";

/** Returns the team, for commands that require one. */
export async function requireTeam(call: Call, places: RepositoryPlaces, command: string): Promise<Team> {
  const team = await resolveTeam(call, places);
  if (team) return team;
  throw createNoTeamError(command);
}

export function createNoTeamError(command: string): SignalboxError {
  return new SignalboxError(
    "USAGE",
    `\`${command}\` requires a team database, and none is configured.`,
    `Use signalbox ${command} --postgres postgres://user@host/database, or set SIGNALBOX_POSTGRES, or \`postgres:\` in the configuration.`,
  );
}
