import { listExcludes } from "../../core/authoring/pipeline.ts";
import { hidePassword } from "../../core/text/database-address.ts";
import { createEngine } from "../../engine/engine.ts";
import type { AgentLookup } from "../agents/agents.ts";
import { requireAssigned } from "../agents/require-agents.ts";
import type { Call } from "../call.ts";
import { addExcludes, removeBroadExclude } from "../project/git-exclude.ts";
import { noteRepository } from "../project/known-repositories.ts";
import type { Project } from "../project/project.ts";
import { prepareRepository } from "../project/repository.ts";
import { createRealWorld } from "../real-world.ts";
import type { ReportRequest } from "../report/reporters.ts";
import { MEMORY_FOLDERS } from "../runs/checkout-files.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { formatDashboardLine } from "../serve/dashboard-line.ts";
import { type RunStart, startRun } from "../start/start-run.ts";
import { followRun, printDetached, printShortage } from "./follow-run.ts";
import { getPersonName } from "./person.ts";
import { listRunLabels, noteSubmission } from "./submit-run.ts";
import type { Team } from "./team.ts";
import { openTeamStore, type TeamRunStore } from "./team-store.ts";
import { hashJudgement } from "./trust.ts";

type TeamRun = {
  readonly team: Team;
  readonly project: Project;
  readonly agents: AgentLookup;
  readonly order: RunStart & { readonly flags: { readonly detach?: boolean } };
  readonly reports: readonly ReportRequest[];
};

/** The commands printed afterwards do not contain the address. */
const NAMED_BY_FLAG =
  "This team is set by --postgres only: pass it to the commands below as well, or set `postgres:` in .signalbox/config.local.yaml.";

/** Submits a run to the team's workers and follows it. */
export async function runOnTeam(call: Call, { team, project, agents, order, reports }: TeamRun): Promise<number> {
  const { pipeline, flags, settings } = order;
  requireAssigned(pipeline, agents);
  const world = createRealWorld();
  const store = await openTeamStore({ team, places: project.places, world });
  try {
    const run = await submitNewRun(store, { project, order });
    if (!call.json) {
      call.print(call.paint.dim(`submitted ${run} to ${hidePassword(team.url)} for ${team.name}`));
      call.print(call.paint.dim(await formatDashboardLine(run)));
      if (call.postgres !== undefined) call.print(call.paint.dim(NAMED_BY_FLAG));
    }
    if (flags.detach) {
      printDetached(call, run);
      await printShortage(call, store, run);
      return 0;
    }
    return await followRun(call, store, { run, reports, attention: settings.attention });
  } finally {
    await store.host.close();
  }
}

/** Records the run with everything its workers need, before any of them can take it. */
async function submitNewRun(
  store: TeamRunStore,
  { project, order }: Pick<TeamRun, "project" | "order">,
): Promise<string> {
  const { host, world, team } = store;
  const { places, pipelines } = project;
  const { pipeline, flags, settings } = order;
  await noteRepository(places.top, world);
  await prepareRepository(places);
  const excludes = listExcludes(pipeline, order.input);
  await removeBroadExclude(places);
  await addExcludes(places, excludes);
  const workspace = await openRunWorkspace(store);
  const books = [...MEMORY_FOLDERS, ...excludes];
  const submission = { project, pipeline: pipeline.name, flags, settings };
  const engine = createEngine({ host, world, pipelines: pipelines.find, performer: NO_PERFORMER, ...SUBMITTER });
  const keep = async ({ run, commit }: { readonly run: string; readonly commit: string }) => {
    const changed = pipeline.looksAt?.(pipeline.input.parse(order.input));
    const begun = await workspace.begin(run, { commit, books, ...(changed ? { changed } : {}) });
    await noteSubmission(store, run, submission);
    return begun;
  };
  const run = await startRun({ engine, workspace, repo: team.name, keep }, order);
  await team.store.trust.record(team.name, await hashJudgement({ host, world }, run), getPersonName(store));
  await team.store.submit(run, listRunLabels(store, submission));
  return run;
}

const SUBMITTER = { owner: "submitter", waits: false, patient: false } as const;

/** The submitter executes nothing. */
const refusePerform = async (): Promise<never> => {
  throw new Error("a submitted run was performed where it was submitted");
};
const NO_PERFORMER = { perform: refusePerform, recover: refusePerform };
