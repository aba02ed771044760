import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { Identity } from "../../core/journal/identity.ts";
import type { StoredCheckout, Workspace } from "../../core/ports/workspace.ts";
import type { Engine, RunOrder } from "../../engine/engine.ts";
import type { AgentFlags } from "../agents/agents.ts";
import type { App } from "../app.ts";
import type { Settings } from "../project/settings.ts";
import type { EarlierRun } from "./from-run.ts";
import { writeStartNotes } from "./start-notes.ts";

/** A run to be started, with its resolved settings and input. */
export type RunStart = {
  readonly pipeline: Pipeline;
  readonly flags: AgentFlags;
  readonly settings: Settings;
  readonly input: unknown;
  readonly earlier: EarlierRun | undefined;
  readonly policy: unknown;
  readonly identity: Identity | undefined;
};

type StartParts = {
  readonly engine: Pick<Engine, "start">;
  readonly workspace: Workspace;
  /** Name of the repository in the store. */
  readonly repo: string;
  /** Called with the run's id and base commit before the run is recorded. */
  keep(at: NewRun): Promise<StoredCheckout>;
};

/** Records a new run. Nothing is executed until it is driven. */
export async function startRun({ engine, workspace, repo, keep }: StartParts, asked: RunStart): Promise<string> {
  const { pipeline, settings, input, earlier, policy, identity } = asked;
  const { approvals, exempt, exemptFrom, limits, minConfidence, protectedPaths, setup, exam, documents } = settings;
  const { commit, tree } = earlier?.base ?? (await workspace.head());
  const order: RunOrder = {
    pipeline: pipeline.name,
    input,
    repo,
    base: { commit, tree },
    approvals,
    commands: settings.commands.map(({ name, run: line }) => ({ name, run: line })),
    limits,
    minConfidence,
    identity,
    ...(setup ? { setup } : {}),
    ...(exempt === undefined ? {} : { exempt }),
    ...(exemptFrom === undefined ? {} : { exemptFrom }),
    ...(protectedPaths.length > 0 ? { protectedPaths } : {}),
    ...(exam ? { exam } : {}),
    ...(documents === undefined ? {} : { documents }),
    ...(policy === undefined ? {} : { policy }),
    ...(earlier ? { from: { records: earlier.records, phase: earlier.phase, arrival: earlier.arrival.number } } : {}),
    before: (run) => keep({ run, commit }),
  };
  return engine.start(order);
}

export type NewRun = { readonly run: string; readonly commit: string };

/** Stores the run's options on this machine: beside the run and in the user's state folder. */
export async function prepareLocalRun(
  { project, workspace }: App,
  at: NewRun,
  { flags, settings }: RunStart,
): Promise<StoredCheckout> {
  const { run, commit } = at;
  // Done before the run exists, because the branch may be amended and `gc` may run at any moment after it.
  const begun = await workspace.begin(run, { commit, books: [] });
  await writeStartNotes(project.places, run, { agents: flags, sandbox: settings.sandbox });
  if (project.trust !== "nothing brought") await project.store.recordRun(run, project.repositoryCode.filesHash);
  return begun;
}
