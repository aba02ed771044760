import type { Confidence } from "../../core/end.ts";
import type { Pipeline } from "../../core/pipeline.ts";
import type { RunOrder } from "../../engine/engine.ts";
import { type AgentFlags, agentsFrom, requireAgents } from "../agents.ts";
import { type App, lookAtProject, openProject, type Project, withApp } from "../app.ts";
import type { Call } from "../call.ts";
import type { Config } from "../config.ts";
import { requireDefinitions } from "../definitions.ts";
import { detach } from "../detach.ts";
import { driveRun } from "../drive-run.ts";
import { dryRun } from "../dry-run.ts";
import { type Earlier, earlierRun } from "../earlier-run.ts";
import { forecastOf } from "../forecast.ts";
import { inputFrom } from "../input.ts";
import { type FlagTerms, layersOf } from "../layers.ts";
import { type LimitFlags, limitsFrom } from "../limits.ts";
import { policyOf } from "../policy.ts";
import { recordFolder } from "../record-folder.ts";
import { type Settings, settingsOf } from "../settings.ts";
import { startLines } from "../start-lines.ts";
import { keepNotes } from "../start-notes.ts";

export type RunFlags = LimitFlags &
  AgentFlags & {
    readonly input: readonly string[];
    readonly approvals?: "interactive" | "autonomous";
    readonly minConfidence?: Confidence;
    readonly sandbox?: Config["sandbox"];
    readonly from?: string;
    readonly detach?: boolean;
    readonly dryRun?: boolean;
    readonly trust?: boolean;
    readonly record?: string;
  };
export type RunAsked = { readonly pipeline: string; readonly request: string | undefined; readonly flags: RunFlags };

export async function run(call: Call, asked: RunAsked): Promise<number> {
  const { flags } = asked;
  const terms = termsOf(flags);
  const project = await projectFor(call, asked);
  const pipeline = project.pipelines.get(asked.pipeline);
  const layers = await layersOf(project.places, terms);
  const settings = settingsOf(layers, pipeline.name);
  const agents = agentsFrom(flags, settings);
  const earlier = flags.from === undefined ? undefined : await earlierRun(call, pipeline, flags.from);
  const input = await inputOf(asked, pipeline, earlier);
  if (flags.dryRun)
    return dryRun(call, { project, pipeline, agents, settings, input, ...(earlier ? { earlier } : {}) });
  const policy = await policyOf(project.places, layers, pipeline);
  await requireAgents(pipeline, agents);
  requireDefinitions(pipeline, { agents, files: project.brought.agentFiles });
  const waits = call.terminal && !flags.detach;
  const record = flags.record === undefined ? undefined : recordFolder(flags.record);
  const { sandbox, patience, usageWindow } = settings;
  return withApp(project, { agents, waits, sandbox, patience, usageWindow, record }, async (app) => {
    const id = await start(app, { pipeline, flags, settings, input, earlier, policy });
    if (flags.detach) return detach(call, app, id);
    if (!call.json) {
      const forecast = await forecastOf(app.host, { repo: project.places.top, pipeline: pipeline.name });
      for (const line of startLines(call.paint, { ...app, settings, forecast })) call.print(line);
    }
    return driveRun(call, app, id);
  });
}

/** A dry run runs nothing, so a built-in pipeline needs no yes for it. */
async function projectFor(call: Call, { pipeline, flags }: RunAsked): Promise<Project> {
  if (!flags.dryRun) return openProject(call, flags);
  const project = await lookAtProject(call, flags);
  return project.pipelines.find(pipeline) || project.brought.pipelines.length === 0
    ? project
    : openProject(call, flags);
}

async function inputOf(
  { request, flags }: RunAsked,
  pipeline: Pipeline,
  earlier: Earlier | undefined,
): Promise<unknown> {
  if (earlier && request === undefined && flags.input.length === 0) return earlier.input;
  return inputFrom(pipeline, { input: flags.input, ...(request === undefined ? {} : { request }) });
}

/** Refuses a limit that is none before anything is read. */
function termsOf(flags: RunFlags): FlagTerms {
  limitsFrom(flags);
  return {
    ...(flags.approvals === undefined ? {} : { approvals: flags.approvals }),
    ...(flags.minConfidence === undefined ? {} : { "min-confidence": flags.minConfidence }),
    ...(flags.sandbox === undefined ? {} : { sandbox: flags.sandbox }),
    ...(flags.budget === undefined ? {} : { budget: Number(flags.budget) }),
    ...(flags.maxTokens === undefined ? {} : { "max-tokens": Number(flags.maxTokens) }),
    ...(flags.maxTime === undefined ? {} : { "max-time": flags.maxTime }),
    ...(flags.maxDispatches === undefined ? {} : { "max-dispatches": Number(flags.maxDispatches) }),
  };
}

type Start = {
  readonly pipeline: Pipeline;
  readonly flags: AgentFlags;
  readonly settings: Settings;
  readonly input: unknown;
  readonly earlier: Earlier | undefined;
  readonly policy: unknown;
};

async function start(app: App, asked: Start): Promise<string> {
  const { engine, project, workspace } = app;
  const { pipeline, settings, input, earlier, policy } = asked;
  const { approvals, exempt, exemptFrom, limits, minConfidence, protectedPaths, setup } = settings;
  const head = await workspace.head();
  // What is taken over was made on the earlier run's base, and fits no other.
  const base = earlier?.base ?? { commit: head.commit, tree: head.tree };
  const order: RunOrder = {
    pipeline: pipeline.name,
    input,
    repo: project.places.top,
    base,
    approvals,
    commands: settings.commands.map(({ name, run: line }) => ({ name, run: line })),
    limits,
    minConfidence,
    ...(setup ? { setup } : {}),
    ...(exempt === undefined ? {} : { exempt }),
    ...(exemptFrom === undefined ? {} : { exemptFrom }),
    ...(protectedPaths.length > 0 ? { protectedPaths } : {}),
    ...(policy === undefined ? {} : { policy }),
    ...(earlier ? { from: { records: earlier.records, phase: earlier.phase } } : {}),
    before: (run) => keep(app, run, { ...asked, base: base.commit }),
  };
  return engine.start(order);
}

async function keep({ project, workspace }: App, id: string, asked: Start & { readonly base: string }): Promise<void> {
  const { flags, pipeline, settings, base } = asked;
  // Before the run is there: an amended branch and a `gc` may come at any moment after it.
  await workspace.hold(id, base);
  const phases = pipeline.phases.map((phase) => phase.title);
  await keepNotes(project.places, id, { agents: flags, phases, sandbox: settings.sandbox });
  if (project.trust !== "nothing brought") await project.store.recordRun(id, project.brought.filesHash);
}
