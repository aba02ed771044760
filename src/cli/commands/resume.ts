import type { Limits } from "../../core/budget/budget.ts";
import type { RunConfig } from "../../core/journal/run-config.ts";
import type { RunRow, Signal } from "../../core/ports/host.ts";
import type { SandboxMode } from "../../processes/sandbox/sandbox.ts";
import { type AgentFlags, agentsFrom } from "../agents/agents.ts";
import { requireDefinitions } from "../agents/definitions.ts";
import { requireAgents } from "../agents/require-agents.ts";
import { type App, withApp } from "../app.ts";
import type { Call } from "../call.ts";
import { layersOf } from "../project/config-sources.ts";
import { type LimitFlags, limitsFrom } from "../project/limits.ts";
import { openProject, type Project } from "../project/project.ts";
import { type Settings, settingsOf } from "../project/settings.ts";
import { userName } from "../project/user-name.ts";
import { askedReports, reporterFlags } from "../report/reporters.ts";
import { answeredLine } from "../runs/already-answered.ts";
import { changedConfig, requireChecksBoth } from "../runs/changed-config.ts";
import { refuseEnded } from "../runs/ended-run.ts";
import { findRun } from "../runs/find-run.ts";
import { foldRun } from "../runs/fold-run.ts";
import { refuseOutdated } from "../runs/outdated-journal.ts";
import { withRunStore } from "../runs/run-store.ts";
import { detach } from "../start/detach.ts";
import { driveRun } from "../start/drive-run.ts";
import { keepNotes, readNotes } from "../start/start-notes.ts";

export type ResumeFlags = LimitFlags &
  AgentFlags & {
    readonly note?: string;
    readonly trust?: boolean;
    readonly sandbox?: SandboxMode;
    readonly detach?: boolean;
    /** Open questions hold it, also where nobody sits in front of it. */
    readonly wait?: boolean;
    /** What the configuration says now counts from here on. */
    readonly config?: boolean;
    readonly reporter?: readonly string[];
  };

export async function resume(call: Call, asked: string | undefined, flags: ResumeFlags): Promise<number> {
  const reports = askedReports(flags.reporter ?? []);
  const row = await withRunStore(call, async (store) => {
    const found = await findRun(store.host, store.places.top, asked);
    await refuseEnded(store, found);
    await refuseOutdated(store, found.id);
    return found;
  });
  const trust = flags.trust ? { trust: true } : {};
  const project = await openProject(call, { ...trust, run: row.id, pipeline: row.pipeline });
  const pipeline = project.pipelines.get(row.pipeline);
  const settings = settingsOf(await layersOf(project.places), row.pipeline);
  const agents = agentsFrom(await agentFlags(project, row, flags), settings, project.drivers);
  await requireAgents(pipeline, agents);
  requireDefinitions(pipeline, { agents, files: project.repositoryCode.agentFiles });
  const sandbox = flags.sandbox ?? (await readNotes(project.places, row.id))?.sandbox ?? settings.sandbox;
  const { patience, usageWindow, environment, targets, collector } = settings;
  const waits = !flags.detach && (call.terminal || flags.wait === true);
  const options = { agents, waits, sandbox, patience, usageWindow, environment, targets, collector };
  return withApp(project, options, async (app) => {
    if (flags.detach) return detach(call, app, { run: row.id, flags: [...handedOn(flags), ...reporterFlags(reports)] });
    const limits = limitsOf(flags, settings.limits);
    const config = await configFor(call, { app, row, settings, flags });
    if (limits || config || NEEDS_A_WORD.has(row.status)) {
      const note = flags.note === undefined ? {} : { note: flags.note };
      const said = { ...note, ...(limits ? { limits } : {}), ...(config ? { config } : {}) };
      await continueRun(call, app, row, { kind: "resume", by: userName(), ...said });
    }
    return driveRun(call, app, { run: row.id, reports, attention: settings.attention });
  });
}

/** What was said to this process, for the one that goes on; who plays is noted beside the run. */
function handedOn(flags: ResumeFlags): readonly string[] {
  const { note, maxTime, maxDispatches, maxTokens, budget, sandbox, trust, config } = flags;
  const said = { note, maxTime, maxDispatches, maxTokens, budget, sandbox };
  const named = Object.entries(said).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, String(value)],
  );
  return [...named, ...(trust ? ["--trust"] : []), ...(config ? ["--config"] : [])];
}

type Resumed = {
  readonly app: App;
  readonly row: RunRow;
  readonly settings: Settings;
  readonly flags: ResumeFlags;
};

/** The new configuration, where it is asked for and differs; otherwise what differs is told, and the old one counts. */
async function configFor(call: Call, { app, row, settings, flags }: Resumed): Promise<RunConfig | undefined> {
  const changed = await changedConfig(app.host, row.id, settings);
  if (changed.changes.length === 0) return undefined;
  if (flags.config) requireChecksBoth(row.id, await foldRun(app.host, row.id), changed);
  const what = flags.config ? "taken from the configuration" : "the configuration has changed since the run began";
  for (const line of call.json ? [] : [`${what}:`, ...changed.changes.map((each) => `  ${each}`)])
    call.print(call.paint.yellow(line));
  if (flags.config) return changed.config;
  if (!call.json) call.print(`  it goes on as it began; to take the new one: signalbox resume ${row.id} --config`);
  return undefined;
}

type ResumeSignal = Extract<Signal, { kind: "resume" }>;

/** Whoever is not the first to let a paused run go on is told who was; new limits are said all the same. */
async function continueRun(call: Call, { host, world }: App, row: RunRow, signal: ResumeSignal): Promise<void> {
  const open = row.status === "paused" ? (await foldRun(host, row.id)).open : [];
  const pause = open.find((approval) => approval.pause);
  const earlier = await host.inbox.post(row.id, pause ? { ...signal, approval: pause.approval } : signal);
  if (!earlier) return;
  if (!call.json) call.print(call.paint.dim(answeredLine(earlier, world.now())));
  if (signal.limits || signal.config) await host.inbox.post(row.id, signal);
}

/** Limits of phases and roles have no flags: what the configuration says of them now counts. */
function limitsOf(flags: LimitFlags, { phases, roles }: Limits): Limits | undefined {
  const said = { ...limitsFrom(flags), ...(phases ? { phases } : {}), ...(roles ? { roles } : {}) };
  return Object.keys(said).length > 0 ? said : undefined;
}

/** Suspended by a rule or a limit: only a person's word lets it go on. */
const NEEDS_A_WORD: ReadonlySet<string> = new Set(["paused", "budget", "time"]);

/** What is said now counts; otherwise what was said when the run was started. */
async function agentFlags({ places }: Project, row: RunRow, flags: AgentFlags): Promise<AgentFlags> {
  if (flags.agents === undefined && flags.agent.length === 0) {
    return (await readNotes(places, row.id))?.agents ?? { agent: [] };
  }
  await keepNotes(places, row.id, { ...(await readNotes(places, row.id)), agents: flags });
  return flags;
}
