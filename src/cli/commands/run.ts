import type { Confidence } from "../../core/authoring/end.ts";
import { listExcludes, type Pipeline } from "../../core/authoring/pipeline.ts";
import { type AgentFlags, createAgentLookup } from "../agents/agents.ts";
import { requireDefinitions } from "../agents/definitions.ts";
import { requireAgents, requireKnownRoles } from "../agents/require-agents.ts";
import { withApp } from "../app.ts";
import type { Call } from "../call.ts";
import { requirePrograms } from "../doctor/missing-programs.ts";
import { findUntestedProject } from "../doctor/untested-project.ts";
import type { Config } from "../project/config.ts";
import { type FlagSettings, loadConfigLayers } from "../project/config-sources.ts";
import { addExcludes, describeExcludes, removeBroadExclude } from "../project/git-exclude.ts";
import { readGitIdentity } from "../project/git-identity.ts";
import { type LimitFlags, parseLimits } from "../project/limits.ts";
import { mergePolicy } from "../project/policy.ts";
import { inspectProject, openProject, type Project } from "../project/project.ts";
import { resolveSettings } from "../project/settings.ts";
import { formatReporterFlags, parseReports } from "../report/reporters.ts";
import { formatDashboardLine } from "../serve/dashboard-line.ts";
import { detach } from "../start/detach.ts";
import { driveRun } from "../start/drive-run.ts";
import { printRunPlan } from "../start/dry-run.ts";
import { computeForecast } from "../start/forecast.ts";
import {
  type EarlierRun,
  findEarlierRun,
  noteOtherBase,
  noteSeveralArrivals,
  requireBaseCommit,
} from "../start/from-run.ts";
import { assembleInput } from "../start/input.ts";
import { createRecordFolder } from "../start/record-folder.ts";
import { listMissingCommands, listUncommittedChanges } from "../start/run-problems.ts";
import { formatStartConditions } from "../start/start-conditions.ts";
import { prepareLocalRun, startRun } from "../start/start-run.ts";
import { resolveTeam } from "../team/team.ts";

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
    readonly reporter?: readonly string[];
  };
export type RunRequest = { readonly pipeline: string; readonly request: string | undefined; readonly flags: RunFlags };

export async function runPipeline(call: Call, given: RunRequest): Promise<number> {
  const runRequest = normalizeRequest(given);
  const { flags } = runRequest;
  const terms = toFlagTerms(flags);
  const reports = parseReports(flags.reporter ?? []);
  const project = await openRunProject(call, runRequest);
  const pipeline = project.pipelines.get(runRequest.pipeline);
  const layers = await loadConfigLayers(project.places, terms);
  const settings = resolveSettings(layers, pipeline.name);
  const agents = createAgentLookup(flags, settings, project.drivers);
  requireKnownRoles(pipeline, flags);
  const earlier = flags.from === undefined ? undefined : await findEarlierRun(call, pipeline, flags.from);
  if (earlier) await requireBaseCommit(earlier, project.places.top);
  const input = await resolveInput(runRequest, pipeline, earlier);
  const policy = await mergePolicy(project.places, layers, pipeline);
  if (flags.dryRun)
    return printRunPlan(call, { project, pipeline, agents, settings, input, policy, ...(earlier ? { earlier } : {}) });
  const identity = await readGitIdentity(project.places.top);
  const order = { pipeline, flags, settings, input, earlier, policy, identity };
  const team = await resolveTeam(call, project.places);
  if (team) {
    requireDefinitions(pipeline, { agents, files: project.repositoryCode.agentFiles });
    const { runOnTeam } = await import("../team/run-on-team.ts");
    return runOnTeam(call, { team, project, agents, order, reports });
  }
  await requireAgents(pipeline, agents);
  requirePrograms(settings);
  requireDefinitions(pipeline, { agents, files: project.repositoryCode.agentFiles });
  const waits = call.terminal && !flags.detach;
  const record = flags.record === undefined ? undefined : createRecordFolder(flags.record);
  const { sandbox, patience, usageWindow, environment, targets, collector } = settings;
  const options = { agents, waits, sandbox, patience, usageWindow, environment, targets, collector, record };
  return withApp(project, options, async (app) => {
    const removed = await removeBroadExclude(project.places);
    const added = await addExcludes(project.places, listExcludes(pipeline, input));
    if (!call.json) for (const line of describeExcludes(added, removed)) call.print(call.paint.dim(line));
    const id = await startRun(
      { ...app, repo: project.places.top, keep: (at) => prepareLocalRun(app, at, order) },
      order,
    );
    if (flags.detach) return detach(call, app, { run: id, flags: formatReporterFlags(reports) });
    if (!call.json) {
      const forecast = await computeForecast(app.host, { repo: project.places.top, pipeline: pipeline.name });
      const { top } = project.places;
      const notices = [
        ...listMissingCommands(pipeline, { settings, policy }),
        ...(await findUntestedProject(top, settings)),
        ...(await listUncommittedChanges(top)),
      ];
      if (earlier) notices.push(...noteSeveralArrivals(earlier), ...(await noteOtherBase(earlier, top)));
      for (const line of formatStartConditions(call.paint, { ...app, settings, forecast, identity, notes: notices }))
        call.print(line);
      call.print(call.paint.dim(await formatDashboardLine(id)));
    }
    return driveRun(call, app, { run: id, reports, attention: settings.attention });
  });
}

/** Pipeline used for a request without a pipeline name. */
const DEFAULT_PIPELINE = "task";

/** Treats `run "Fix the greeting"` as a request: a name with a space cannot be a pipeline. */
function normalizeRequest({ pipeline, request, flags }: RunRequest): RunRequest {
  const isRequest = request === undefined && /\s/.test(pipeline.trim());
  return isRequest ? { pipeline: DEFAULT_PIPELINE, request: pipeline, flags } : { pipeline, request, flags };
}

/** Opens the project. A dry run executes nothing, so a built-in pipeline needs no trust for it. */
async function openRunProject(call: Call, { pipeline, flags }: RunRequest): Promise<Project> {
  const opened = { ...flags, pipeline };
  if (!flags.dryRun) return openProject(call, opened);
  const project = await inspectProject(call, opened);
  return project.pipelines.find(pipeline) || project.repositoryCode.pipelines.length === 0
    ? project
    : openProject(call, opened);
}

async function resolveInput(
  { request, flags }: RunRequest,
  pipeline: Pipeline,
  earlier: EarlierRun | undefined,
): Promise<unknown> {
  if (earlier && request === undefined && flags.input.length === 0) return earlier.input;
  return assembleInput(pipeline, { input: flags.input, ...(request === undefined ? {} : { request }) });
}

/** Refuses an invalid limit before any file is read. */
function toFlagTerms(flags: RunFlags): FlagSettings {
  parseLimits(flags);
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
