import { join } from "node:path";
import type { Pipeline } from "../../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { ProcessLimits } from "../../../core/ports/processes.ts";
import { createEngine, type Engine } from "../../../engine/engine.ts";
import type { Executor } from "../../../engine/execute/executor.ts";
import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { type AgentLookup, createAgentLookup } from "../../agents/agents.ts";
import { createProjectExecutor, type ExecutionBase } from "../../app.ts";
import { suggestFixes } from "../../doctor/fixes.ts";
import { listVariableNames } from "../../project/environment.ts";
import type { Settings } from "../../project/settings.ts";
import { readTeamNotes, type TeamNotes, toAgentFlags } from "../notes.ts";
import { hashJudgement } from "../trust.ts";

/** Agents, executor and engine of one run on this worker. */
export type RunExecutor = { readonly agents: AgentLookup; readonly executor: Executor; readonly engine: Engine };

export type RunExecutorInputs = {
  readonly base: ExecutionBase;
  readonly host: TeamHost;
  readonly repo: string;
  /** Identifies this process among all possible owners of a run. */
  readonly owner: string;
  readonly settings: Settings;
};

/**
 * Builds the engine from the run's submission record. If this machine may not run it, the returned engine suspends the
 * run and reports why.
 */
export async function createRunExecutor(parts: RunExecutorInputs, run: string): Promise<RunExecutor> {
  try {
    const notes = readTeamNotes(run, await parts.host.team.notes.get(run));
    await requireTrusted(parts, run, notes);
    return await buildRunExecutor(parts, run, notes);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return createRefusingExecutor(parts, error);
  }
}

async function buildRunExecutor(
  { base, host, owner, settings }: RunExecutorInputs,
  run: string,
  notes: TeamNotes,
): Promise<RunExecutor> {
  const { project, world, workspace, sandbox } = base;
  const flags = await toAgentFlags(notes, join(project.places.runs, run, "script"));
  // Location, arguments and environment of a program are configured by the worker alone.
  const agents = createAgentLookup(flags, { ...notes, drivers: settings.drivers }, project.drivers);
  const { environment } = settings;
  const executor = createProjectExecutor(base, {
    agents,
    sandbox: settings.sandbox,
    patience: toProcessLimits(notes),
    environment,
  });
  const engine = createEngine({
    host,
    world,
    pipelines: project.pipelines.find,
    performer: executor,
    owner,
    waits: false,
    patient: true,
    sandbox: sandbox.summary,
    usageWindow: notes.usageWindow,
    cures: (sick) =>
      suggestFixes({ ...sick, workspace, world, places: project.places, given: listVariableNames(environment.setup) }),
  });
  return { agents, executor, engine };
}

function toProcessLimits({ patience: { wallMs, silenceMs } }: TeamNotes): ProcessLimits {
  return { ...(wallMs === undefined ? {} : { wallMs }), ...(silenceMs === undefined ? {} : { silenceMs }) };
}

/** The start options of a run are code, too. A worker runs them only after a team member has trusted them. */
async function requireTrusted(
  { base, host, repo }: RunExecutorInputs,
  run: string,
  { trusted, by }: TeamNotes,
): Promise<void> {
  const { trust } = host.team;
  const judged = await hashJudgement({ host, world: base.world }, run);
  if ((await trust.knows(repo, trusted)) && (await trust.knows(repo, judged))) return;
  throw new SignalboxError(
    "UNTRUSTED",
    `Run ${run} uses a configuration that no team member has trusted (submitted by ${by}). This worker did not run it.`,
    `To trust it, run \`signalbox init\` in the clone it was submitted from, then \`signalbox resume ${run}\`.`,
  );
}

/** Suspends the run with the reason, as for any missing prerequisite. A cancel message is still processed. */
function createRefusingExecutor({ base, host, owner }: RunExecutorInputs, error: SignalboxError): RunExecutor {
  const refused = async (): Promise<never> => {
    throw error;
  };
  const nothing = async (): Promise<void> => {};
  const executor: Executor = {
    perform: refused,
    recover: refused,
    restore: nothing,
    settled: nothing,
    tidy: nothing,
    undo: nothing,
  };
  const engine = createEngine({
    host,
    world: base.world,
    pipelines: (name) => createStandIn(name, refused),
    performer: executor,
    owner,
    waits: false,
    patient: true,
  });
  return { agents: () => undefined, executor, engine };
}

function createStandIn(name: string, body: () => Promise<never>): Pipeline {
  const none: unknown = { name, version: 0, phases: [], roles: [], cap: 1, body };
  // The engine calls only the body, which throws.
  return none as Pipeline;
}
