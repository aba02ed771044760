import type { RunRow } from "../../core/ports/host.ts";
import { toJson } from "../../core/text/json.ts";
import type { AgentFlags } from "../agents/agents.ts";
import type { Call } from "../call.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { openProject } from "../project/project.ts";
import { resolveSettings } from "../project/settings.ts";
import type { ReportRequest } from "../report/reporters.ts";
import { type ResumeFlags, sendResume } from "../runs/control/send-resume.ts";
import { isOwned } from "../runs/run-store.ts";
import { followRun, printDetached } from "./follow-run.ts";
import { readAgentScript, readTeamNotes, type TeamNotes } from "./notes.ts";
import type { TeamRunStore } from "./team-store.ts";
import { recordTeamTrust } from "./trust.ts";

type TeamResumeRequest = {
  readonly row: RunRow;
  readonly flags: ResumeFlags;
  readonly reports: readonly ReportRequest[];
};

/** Submits the run to the workers again and follows it. A run in progress is only followed. */
export async function resumeOnTeam(
  call: Call,
  store: TeamRunStore,
  { row, flags, reports }: TeamResumeRequest,
): Promise<number> {
  const { store: shared, name: repo } = store.team;
  const settings = resolveSettings(await loadConfigLayers(store.places), row.pipeline);
  const notes = await updateNotes(store, row.id, flags);
  if (flags.trust) {
    const { repositoryCode } = await openProject(call, { trust: true });
    await recordTeamTrust({ trust: shared.trust, repo, repositoryCode });
  }
  await sendResume(call, store, { row, flags, settings });
  if (!isOwned(store, row)) await shared.submit(row.id, notes.needs);
  if (flags.detach) {
    printDetached(call, row.id);
    return 0;
  }
  return followRun(call, store, { run: row.id, reports, attention: settings.attention });
}

/** Updates the agents of the run if flags name others. */
async function updateNotes({ team }: TeamRunStore, run: string, flags: AgentFlags): Promise<TeamNotes> {
  const before = readTeamNotes(run, await team.store.notes.get(run));
  if (flags.agents === undefined && flags.agent.length === 0) return before;
  const { script: _script, ...kept } = before;
  const script = await readAgentScript(flags.agents);
  const notes = { ...kept, agent: [...flags.agent], ...(script ? { script } : {}) };
  await team.store.notes.put(run, toJson(notes) ?? null);
  return notes;
}
