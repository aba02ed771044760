import { join } from "node:path";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { withoutPassword } from "../../core/text/database-address.ts";
import { openTeam, type TeamHost } from "../../hosts/dbos/open-team.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { chainedJournal } from "../runs/anchors/chained-journal.ts";
import type { RunStore } from "../runs/run-store.ts";
import { heedApprovers, heededBy } from "./approvers.ts";
import { fileBringer } from "./lay-files.ts";
import { nameByRole, named } from "./name-by-role.ts";
import type { Team } from "./team.ts";

/** What is shared of a repository's runs beside the runs themselves. */
export type SharedRuns = Team & {
  readonly store: TeamHost["team"];
  /** Brings what workers have sent of a run to where files are looked for; again only after a while. */
  bring(run: string): Promise<void>;
};
export type TeamRunStore = RunStore & { readonly team: SharedRuns };

type Opening = { readonly team: Team; readonly places: RepositoryPlaces; readonly world: World };

/** To read, to post and to submit: nothing is ever performed through it. */
export async function openTeamStore({ team, places, world }: Opening): Promise<TeamRunStore> {
  const { approvers } = team;
  const host = await openTeam({ url: team.url, world, heeded: (posted) => heededBy(approvers, named(posted)) });
  const own = teamPlaces({ team, places, world });
  const bring = fileBringer({ spools: host.team.spools, runs: own.runs, world });
  return {
    places: own,
    world,
    host: heedApprovers(ofRepository({ ...host, journal: chainedJournal(host.journal, world) }, team.name), {
      approvers,
      dropped: () => undefined,
    }),
    team: { ...team, store: host.team, bring },
  };
}

/** What workers have sent is laid where the readers of files look for it, apart from what was ever run here. */
function teamPlaces({ team, places, world }: Opening): RepositoryPlaces {
  const mark = world.hash(`${withoutPassword(team.url)} ${team.name}`).slice(0, 16);
  return { ...places, runs: join(places.cache, "team", mark, "runs") };
}

/** A store of many repositories as one of them sees it: whoever asks for runs means its own, and people go by their roles. */
export function ofRepository<H extends Host>(host: H, repo: string): H {
  const { runs } = host;
  return {
    ...host,
    inbox: nameByRole(host.inbox),
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
