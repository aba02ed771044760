import type { RunRow } from "../../core/ports/host.ts";
import { type AgentFlags, createAgentLookup } from "../agents/agents.ts";
import { requireDefinitions } from "../agents/definitions.ts";
import { requireAgents } from "../agents/require-agents.ts";
import { withApp } from "../app.ts";
import type { Call } from "../call.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { openProject, type Project } from "../project/project.ts";
import { resolveSettings } from "../project/settings.ts";
import { formatReporterFlags, parseReports, type ReportRequest } from "../report/reporters.ts";
import { refuseOutdatedIfReachable } from "../runs/anchors/outdated-journal.ts";
import { type ResumeFlags, sendResume } from "../runs/control/send-resume.ts";
import { refuseEnded } from "../runs/ended-run.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { detach } from "../start/detach.ts";
import { driveRun } from "../start/drive-run.ts";
import { readStartNotes, writeStartNotes } from "../start/start-notes.ts";

export async function resumeRun(call: Call, runRef: string | undefined, flags: ResumeFlags): Promise<number> {
  const reports = parseReports(flags.reporter ?? []);
  const found = await withRunStore(call, async (store) => {
    const { team } = store;
    const row = await findRun(store.host, store.places.top, runRef);
    await refuseEnded(store, row);
    await refuseOutdatedIfReachable({ host: store.host, workspace: await openRunWorkspace(store) }, row.id);
    if (!team) return { row };
    const { resumeOnTeam } = await import("../team/resume-on-team.ts");
    return { row, exit: await resumeOnTeam(call, { ...store, team }, { row, flags, reports }) };
  });
  if (found.exit !== undefined) return found.exit;
  return resumeLocally(call, found.row, { flags, reports });
}

type ResumeRequest = { readonly flags: ResumeFlags; readonly reports: readonly ReportRequest[] };

async function resumeLocally(call: Call, row: RunRow, { flags, reports }: ResumeRequest): Promise<number> {
  const trust = flags.trust ? { trust: true } : {};
  const project = await openProject(call, { ...trust, run: row.id, pipeline: row.pipeline });
  const pipeline = project.pipelines.get(row.pipeline);
  const settings = resolveSettings(await loadConfigLayers(project.places), row.pipeline);
  const agents = createAgentLookup(await resolveAgentFlags(project, row, flags), settings, project.drivers);
  await requireAgents(pipeline, agents);
  requireDefinitions(pipeline, { agents, files: project.repositoryCode.agentFiles });
  const sandbox = flags.sandbox ?? (await readStartNotes(project.places, row.id))?.sandbox ?? settings.sandbox;
  const { patience, usageWindow, environment, targets, collector } = settings;
  const waits = !flags.detach && (call.terminal || flags.wait === true);
  const options = { agents, waits, sandbox, patience, usageWindow, environment, targets, collector };
  return withApp(project, options, async (app) => {
    if (flags.detach)
      return detach(call, app, {
        run: row.id,
        flags: [...formatForwardedFlags(flags), ...formatReporterFlags(reports)],
      });
    await sendResume(call, app, { row, flags, settings });
    return driveRun(call, app, { run: row.id, reports, attention: settings.attention });
  });
}

/** Flags to pass on to the background engine. Agent flags are stored beside the run instead. */
function formatForwardedFlags(flags: ResumeFlags): readonly string[] {
  const { note, maxTime, maxDispatches, maxTokens, budget, sandbox, trust, config } = flags;
  const flagValues = { note, maxTime, maxDispatches, maxTokens, budget, sandbox };
  const named = Object.entries(flagValues).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, String(value)],
  );
  return [...named, ...(trust ? ["--trust"] : []), ...(config ? ["--config"] : [])];
}

/** Agent flags of this call take precedence over those stored when the run was started. */
async function resolveAgentFlags({ places }: Project, row: RunRow, flags: AgentFlags): Promise<AgentFlags> {
  if (flags.agents === undefined && flags.agent.length === 0) {
    return (await readStartNotes(places, row.id))?.agents ?? { agent: [] };
  }
  await writeStartNotes(places, row.id, { ...(await readStartNotes(places, row.id)), agents: flags });
  return flags;
}
