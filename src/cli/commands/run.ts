import type { Confidence } from "../../core/authoring/end.ts";
import { listExcludes, type Pipeline } from "../../core/authoring/pipeline.ts";
import { type AgentFlags, agentsFrom } from "../agents/agents.ts";
import { requireDefinitions } from "../agents/definitions.ts";
import { requireAgents, requireKnownRoles } from "../agents/require-agents.ts";
import { withApp } from "../app.ts";
import type { Call } from "../call.ts";
import { requirePrograms } from "../doctor/missing-programs.ts";
import { findUntestedProject } from "../doctor/untested-project.ts";
import type { Config } from "../project/config.ts";
import { type FlagTerms, layersOf } from "../project/config-sources.ts";
import { addExcludes, describeExcludes, removeBroadExclude } from "../project/git-exclude.ts";
import { gitIdentity } from "../project/git-identity.ts";
import { type LimitFlags, limitsFrom } from "../project/limits.ts";
import { policyOf } from "../project/policy.ts";
import { lookAtProject, openProject, type Project } from "../project/project.ts";
import { settingsOf } from "../project/settings.ts";
import { formatReporterFlags, parseReports } from "../report/reporters.ts";
import { dashboardLine } from "../serve/dashboard-line.ts";
import { detach } from "../start/detach.ts";
import { driveRun } from "../start/drive-run.ts";
import { dryRun } from "../start/dry-run.ts";
import { forecastOf } from "../start/forecast.ts";
import { arrivedOften, type Earlier, earlierRun, elsewhere, requireCommit } from "../start/from-run.ts";
import { inputFrom } from "../start/input.ts";
import { dirt, neededCommands } from "../start/lacks.ts";
import { recordFolder } from "../start/record-folder.ts";
import { startLines } from "../start/start-lines.ts";
import { keepHere, startRun } from "../start/start-run.ts";
import { teamOf } from "../team/team.ts";

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
  const layers = await layersOf(project.places, terms);
  const settings = settingsOf(layers, pipeline.name);
  const agents = agentsFrom(flags, settings, project.drivers);
  requireKnownRoles(pipeline, flags);
  const earlier = flags.from === undefined ? undefined : await earlierRun(call, pipeline, flags.from);
  if (earlier) await requireCommit(earlier, project.places.top);
  const input = await resolveInput(runRequest, pipeline, earlier);
  const policy = await policyOf(project.places, layers, pipeline);
  if (flags.dryRun)
    return dryRun(call, { project, pipeline, agents, settings, input, policy, ...(earlier ? { earlier } : {}) });
  const identity = await gitIdentity(project.places.top);
  const order = { pipeline, flags, settings, input, earlier, policy, identity };
  const team = await teamOf(call, project.places);
  if (team) {
    requireDefinitions(pipeline, { agents, files: project.repositoryCode.agentFiles });
    const { runOnTeam } = await import("../team/run-on-team.ts");
    return runOnTeam(call, { team, project, agents, order, reports });
  }
  await requireAgents(pipeline, agents);
  requirePrograms(settings);
  requireDefinitions(pipeline, { agents, files: project.repositoryCode.agentFiles });
  const waits = call.terminal && !flags.detach;
  const record = flags.record === undefined ? undefined : recordFolder(flags.record);
  const { sandbox, patience, usageWindow, environment, targets, collector } = settings;
  const options = { agents, waits, sandbox, patience, usageWindow, environment, targets, collector, record };
  return withApp(project, options, async (app) => {
    const removed = await removeBroadExclude(project.places);
    const added = await addExcludes(project.places, listExcludes(pipeline, input));
    if (!call.json) for (const line of describeExcludes(added, removed)) call.print(call.paint.dim(line));
    const id = await startRun({ ...app, repo: project.places.top, keep: (at) => keepHere(app, at, order) }, order);
    if (flags.detach) return detach(call, app, { run: id, flags: formatReporterFlags(reports) });
    if (!call.json) {
      const forecast = await forecastOf(app.host, { repo: project.places.top, pipeline: pipeline.name });
      const { top } = project.places;
      const notices = [
        ...neededCommands(pipeline, { settings, policy }),
        ...(await findUntestedProject(top, settings)),
        ...(await dirt(top)),
      ];
      if (earlier) notices.push(...arrivedOften(earlier), ...(await elsewhere(earlier, top)));
      for (const line of startLines(call.paint, { ...app, settings, forecast, identity, notes: notices }))
        call.print(line);
      call.print(call.paint.dim(await dashboardLine(id)));
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
  const project = await lookAtProject(call, opened);
  return project.pipelines.find(pipeline) || project.repositoryCode.pipelines.length === 0
    ? project
    : openProject(call, opened);
}

async function resolveInput(
  { request, flags }: RunRequest,
  pipeline: Pipeline,
  earlier: Earlier | undefined,
): Promise<unknown> {
  if (earlier && request === undefined && flags.input.length === 0) return earlier.input;
  return inputFrom(pipeline, { input: flags.input, ...(request === undefined ? {} : { request }) });
}

/** Refuses an invalid limit before any file is read. */
function toFlagTerms(flags: RunFlags): FlagTerms {
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
