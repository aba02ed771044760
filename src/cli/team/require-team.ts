import { SignalboxError } from "../../core/failure/errors.ts";
import type { Call } from "../call.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { type Team, teamOf } from "./team.ts";

/** For commands that mean nothing on one machine alone. */
export async function requireTeam(call: Call, places: RepositoryPlaces, command: string): Promise<Team> {
  const team = await teamOf(call, places);
  if (team) return team;
  throw noTeam(command);
}

export function noTeam(command: string): SignalboxError {
  return new SignalboxError(
    "USAGE",
    `\`${command}\` needs the team's database, and nothing names one.`,
    `Name it: signalbox ${command} --postgres postgres://user@host/database; or SIGNALBOX_POSTGRES, or \`postgres:\` in the configuration.`,
  );
}
