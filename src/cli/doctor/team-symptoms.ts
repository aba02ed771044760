import { hidePassword } from "../../core/text/database-address.ts";
import { formatWorkerName } from "../../hosts/dbos/worker-name.ts";
import { probeRemote } from "../../workspace/remote/probe-remote.ts";
import { type AgentLookup, createAgentLookup } from "../agents/agents.ts";
import { requireAssigned } from "../agents/require-agents.ts";
import { readVersion } from "../program.ts";
import type { Project } from "../project/project.ts";
import type { Settings } from "../project/settings.ts";
import { createRealWorld } from "../real-world.ts";
import { isApprover } from "../team/approvers.ts";
import { getPipelineLabel } from "../team/offers/labels.ts";
import { type IntendedRun, listUnofferedNeeds } from "../team/offers/unoffered.ts";
import { formatServeHint } from "../team/offers/worker-command.ts";
import { formatWorker } from "../team/offers/worker-line.ts";
import type { Team } from "../team/team.ts";
import type { TeamRunStore } from "../team/team-store.ts";
import { type Symptom, toUserError } from "./symptom.ts";

/** Checks whether the team can take runs of this repository: database, your role there, remote and workers. */
export async function findTeamSymptoms(team: Team, project: Project, settings: Settings): Promise<readonly Symptom[]> {
  const remote = await checkRemote(team, project);
  const seen = await withTeamStore(team, project, async (store) => [
    describePostgres(team),
    describeTeamRole(store, team),
    remote,
    ...(await checkWorkers(store, project, settings)),
  ]);
  return "refused" in seen ? [seen.refused, remote] : seen;
}

/** Checks the same for one run before it is submitted. */
export async function findTeamObstacles(
  team: Team,
  project: Project,
  intended: IntendedRun,
): Promise<readonly Symptom[]> {
  const remote = await checkRemote(team, project);
  const seen = await withTeamStore(team, project, async ({ world, team: { name: repo, store } }) => {
    const looked = { workers: await store.workers(), repo, world };
    return listUnofferedNeeds(intended, looked).map(
      ({ says, missing }): Symptom => ({ what: "workers", state: "missing", says, get: formatServeHint(missing) }),
    );
  });
  return [
    ...findUnassignedRoles(intended),
    ...("refused" in seen ? [seen.refused] : seen),
    ...(remote.state === "fine" ? [] : [remote]),
  ];
}

function findUnassignedRoles({ pipeline, agents }: IntendedRun): readonly Symptom[] {
  try {
    requireAssigned(pipeline, agents);
    return [];
  } catch (error) {
    const { message, hint } = toUserError(error);
    return [{ what: "agents", state: "missing", says: message, get: hint }];
  }
}

type RefusedStore = { readonly refused: Symptom };

async function withTeamStore(
  team: Team,
  { places }: Project,
  use: (store: TeamRunStore) => Promise<readonly Symptom[]>,
): Promise<readonly Symptom[] | RefusedStore> {
  // Loaded on demand, because most repositories have no team.
  const { openTeamStore } = await import("../team/team-store.ts");
  try {
    const store = await openTeamStore({ team, places, world: createRealWorld() });
    try {
      return await use(store);
    } finally {
      await store.host.close();
    }
  } catch (error) {
    const { message, hint } = toUserError(error);
    return { refused: { what: "postgres", state: "missing", says: message, get: hint } };
  }
}

function describePostgres({ url, name }: Team): Symptom {
  return { what: "postgres", state: "fine", says: `${hidePassword(url)} for ${name}, schema up to date` };
}

function describeTeamRole({ team: { store } }: TeamRunStore, { approvers }: Team): Symptom {
  const { role } = store;
  if (isApprover(role, approvers)) {
    const who = approvers ? "listed in `team.approvers`" : "like everyone: `team.approvers` is not set";
    return { what: "role", state: "fine", says: `connected as ${role}; may answer questions, ${who}` };
  }
  const says = `connected as ${role}; may not answer questions: only ${approvers?.join(", ")} may (\`team.approvers\`)`;
  return { what: "role", state: "note", says };
}

async function checkRemote({ remote }: Team, { places }: Project): Promise<Symptom> {
  const what = "remote";
  try {
    return { what, state: "fine", says: `${await probeRemote(places.top, remote)} is readable and writable` };
  } catch (error) {
    const { message, hint } = toUserError(error);
    return { what, state: "missing", says: message, get: hint };
  }
}

const NO_WORKER = "no worker for this repository is running";

async function checkWorkers(store: TeamRunStore, project: Project, settings: Settings): Promise<readonly Symptom[]> {
  const { world, team } = store;
  const workers = (await team.store.workers()).filter(({ repo }) => repo === null || repo === team.name);
  const what = "workers";
  if (workers.length === 0)
    return [{ what, state: "missing", says: NO_WORKER, get: formatServeHint(settings.team.labels ?? []) }];
  const known = {
    pipelines: project.pipelines.all.map((source) => getPipelineLabel(world, source)),
    version: readVersion(),
  };
  const agents = createAgentLookup({ agent: [] }, settings, project.drivers);
  return [
    ...workers.map(
      (worker): Symptom => ({
        what,
        state: "fine",
        says: formatWorker(formatWorkerName(worker), worker, known),
      }),
    ),
    ...findUnoffered({ project, settings, agents }, { workers, repo: team.name, world }),
  ];
}

type OfferContext = { readonly project: Project; readonly settings: Settings; readonly agents: AgentLookup };

/** Reports what workers do not offer. It blocks a run only if every pipeline lacks something. */
function findUnoffered(here: OfferContext, looked: Parameters<typeof listUnofferedNeeds>[1]): readonly Symptom[] {
  const lacking = here.project.pipelines.all.map(({ pipeline }) =>
    listUnofferedNeeds({ ...here, pipeline }, looked).map((lack) => ({ ...lack, of: pipeline.name })),
  );
  const state = lacking.every((lacks) => lacks.length > 0) ? "missing" : "note";
  return [...Map.groupBy(lacking.flat(), ({ says }) => says)].map(([says, of]) => ({
    what: "workers",
    state,
    says: `${[...new Set(of.map((each) => each.of))].join(", ")}: ${says}`,
    get: formatServeHint(of.flatMap(({ missing }) => missing)),
  }));
}
