import { join } from "node:path";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { hidePassword } from "../../core/text/database-address.ts";
import { openTeam, type TeamHost } from "../../hosts/dbos/open-team.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { verifyJournal } from "../runs/anchors/verify-journal.ts";
import type { RunStore } from "../runs/run-store.ts";
import { dropUnapproved, enforceApprovers } from "./approvers.ts";
import { applyRoleName, applyRoleNames } from "./role-names.ts";
import type { Team } from "./team.ts";
import { createUploadFetcher } from "./uploads.ts";

/** Shared data of a repository's runs, in addition to the runs themselves. */
export type SharedRuns = Team & {
  readonly store: TeamHost["team"];
  /** Fetches the files that workers uploaded for a run. Repeated calls within a short time are skipped. */
  bring(run: string): Promise<void>;
};
export type TeamRunStore = RunStore & { readonly team: SharedRuns };

type TeamOpening = { readonly team: Team; readonly places: RepositoryPlaces; readonly world: World };

/** Opens the team's store to read, post and submit. Nothing is executed through it. */
export async function openTeamStore({ team, places, world }: TeamOpening): Promise<TeamRunStore> {
  const { approvers } = team;
  const host = await openTeam({
    url: team.url,
    world,
    heeded: (posted) => dropUnapproved(approvers, applyRoleName(posted)),
  });
  const own = getTeamPlaces({ team, places, world });
  const bring = createUploadFetcher({ spools: host.team.spools, runs: own.runs, world });
  return {
    places: own,
    world,
    host: enforceApprovers(restrictToRepository({ ...host, journal: verifyJournal(host.journal, world) }, team.name), {
      approvers,
      dropped: () => undefined,
    }),
    team: { ...team, store: host.team, bring },
  };
}

/** Returns paths with a separate runs folder, so that files from workers do not mix with local runs. */
function getTeamPlaces({ team, places, world }: TeamOpening): RepositoryPlaces {
  const mark = world.hash(`${hidePassword(team.url)} ${team.name}`).slice(0, 16);
  return { ...places, runs: join(places.cache, "team", mark, "runs") };
}

/** Restricts a shared store to one repository, and identifies people by their roles. */
export function restrictToRepository<H extends Host>(host: H, repo: string): H {
  const { runs } = host;
  return {
    ...host,
    inbox: applyRoleNames(host.inbox),
    runs: {
      ...runs,
      list: () => runs.list({ repo }),
      async get(id) {
        const row = await runs.get(id);
        return row?.repo === repo ? row : undefined;
      },
    },
  };
}
