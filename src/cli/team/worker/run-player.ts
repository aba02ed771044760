import { join } from "node:path";
import type { Pipeline } from "../../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { ProcessLimits } from "../../../core/ports/processes.ts";
import { createEngine, type Engine } from "../../../engine/engine.ts";
import type { Executor } from "../../../engine/execute/executor.ts";
import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { type Agents, agentsFrom } from "../../agents/agents.ts";
import { type ExecutionBase, executorOn } from "../../app.ts";
import { curesHere } from "../../doctor/cures.ts";
import { namesIn } from "../../project/environment.ts";
import type { Settings } from "../../project/settings.ts";
import { flagsFrom, readTeamNotes, type TeamNotes } from "../notes.ts";
import { judgedHash } from "../trust.ts";

/** What works for one run here: who plays, who performs, and the engine that drives it. */
export type RunPlayer = { readonly agents: Agents; readonly executor: Executor; readonly engine: Engine };

export type PlayerParts = {
  readonly base: ExecutionBase;
  readonly host: TeamHost;
  readonly repo: string;
  /** Names this process among all that may own a run. */
  readonly owner: string;
  readonly settings: Settings;
};

/** By what was noted when the run was submitted. What may not run here gives an engine that says so and rests the run. */
export async function playerOf(parts: PlayerParts, run: string): Promise<RunPlayer> {
  try {
    const notes = readTeamNotes(run, await parts.host.team.notes.get(run));
    await requireTrusted(parts, run, notes);
    return await ready(parts, run, notes);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return refusing(parts, error);
  }
}

async function ready({ base, host, owner, settings }: PlayerParts, run: string, notes: TeamNotes): Promise<RunPlayer> {
  const { project, world, workspace, sandbox } = base;
  const flags = await flagsFrom(notes, join(project.places.runs, run, "script"));
  // Where a program lies, how it is called and what it is given is the worker's to say, and nobody else's.
  const agents = agentsFrom(flags, { ...notes, drivers: settings.drivers }, project.drivers);
  const { environment } = settings;
  const executor = executorOn(base, { agents, sandbox: settings.sandbox, patience: patienceIn(notes), environment });
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
      curesHere({ ...sick, workspace, world, places: project.places, given: namesIn(environment.setup) }),
  });
  return { agents, executor, engine };
}

function patienceIn({ patience: { wallMs, silenceMs } }: TeamNotes): ProcessLimits {
  return { ...(wallMs === undefined ? {} : { wallMs }), ...(silenceMs === undefined ? {} : { silenceMs }) };
}

/** What a run was started with is code, too: a worker runs it only after a person of the team has said yes to it. */
async function requireTrusted(
  { base, host, repo }: PlayerParts,
  run: string,
  { trusted, by }: TeamNotes,
): Promise<void> {
  const { trust } = host.team;
  const judged = await judgedHash({ host, world: base.world }, run);
  if ((await trust.knows(repo, trusted)) && (await trust.knows(repo, judged))) return;
  throw new SignalboxError(
    "UNTRUSTED",
    `Nobody of the team has said yes to what the run ${run} was started with by ${by}; this worker does not run it.`,
    `Whoever trusts it says so in that clone with \`signalbox init\`, then \`signalbox resume ${run}\`.`,
  );
}

/** The run rests with the reason, as with everything that a machine lacks; a word that cancels it is read all the same. */
function refusing({ base, host, owner }: PlayerParts, error: SignalboxError): RunPlayer {
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
    pipelines: (name) => standIn(name, refused),
    performer: executor,
    owner,
    waits: false,
    patient: true,
  });
  return { agents: () => undefined, executor, engine };
}

function standIn(name: string, body: () => Promise<never>): Pipeline {
  const none: unknown = { name, version: 0, phases: [], roles: [], cap: 1, body };
  // The engine comes no further than the body, which throws.
  return none as Pipeline;
}
