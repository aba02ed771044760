import type { Limits } from "../../core/budget.ts";
import { FINISHED } from "../../core/end.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { Letter, RunRow } from "../../core/ports/host.ts";
import type { SandboxMode } from "../../processes/sandbox.ts";
import { type AgentFlags, agentsFrom, requireAgents } from "../agents.ts";
import { answeredLine } from "../already-answered.ts";
import { type App, openProject, type Project, withApp } from "../app.ts";
import { withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { requireDefinitions } from "../definitions.ts";
import { driveRun } from "../drive-run.ts";
import { layersOf } from "../layers.ts";
import { type LimitFlags, limitsFrom } from "../limits.ts";
import { foldRun } from "../run-fold.ts";
import { findRun } from "../runs.ts";
import { settingsOf } from "../settings.ts";
import { keepNotes, readNotes } from "../start-notes.ts";
import { userName } from "../user-name.ts";

export type ResumeFlags = LimitFlags &
  AgentFlags & { readonly note?: string; readonly trust?: boolean; readonly sandbox?: SandboxMode };

export async function resume(call: Call, asked: string | undefined, flags: ResumeFlags): Promise<number> {
  const row = await withBook(call, ({ host, places }) => findRun(host, places.top, asked));
  refuseEnded(row);
  const project = await openProject(call, { ...(flags.trust ? { trust: true } : {}), run: row.id });
  const pipeline = project.pipelines.get(row.pipeline);
  const settings = settingsOf(await layersOf(project.places), row.pipeline);
  const agents = agentsFrom(await agentFlags(project, row, flags), settings);
  await requireAgents(pipeline, agents);
  requireDefinitions(pipeline, { agents, files: project.brought.agentFiles });
  const sandbox = flags.sandbox ?? (await readNotes(project.places, row.id))?.sandbox ?? settings.sandbox;
  const { patience, usageWindow } = settings;
  return withApp(project, { agents, waits: call.terminal, sandbox, patience, usageWindow }, async (app) => {
    const limits = limitsOf(flags, settings.limits);
    if (limits || NEEDS_A_WORD.has(row.status)) {
      const note = flags.note === undefined ? {} : { note: flags.note };
      await goOn(call, app, row, { kind: "resume", by: userName(), ...note, ...(limits ? { limits } : {}) });
    }
    return driveRun(call, app, row.id);
  });
}

type Word = Extract<Letter, { kind: "resume" }>;

/** Whoever is not the first to let a paused run go on is told who was; new limits are said all the same. */
async function goOn(call: Call, { host, world }: App, row: RunRow, word: Word): Promise<void> {
  const open = row.status === "paused" ? (await foldRun(host, row.id)).view([]).open : [];
  const pause = open.find((approval) => approval.pause);
  const earlier = await host.inbox.post(row.id, pause ? { ...word, approval: pause.approval } : word);
  if (!earlier) return;
  if (!call.json) call.print(call.paint.dim(answeredLine(earlier, world.now())));
  if (word.limits) await host.inbox.post(row.id, word);
}

/** Limits of phases and roles have no flags: what the configuration says of them now counts. */
function limitsOf(flags: LimitFlags, { phases, roles }: Limits): Limits | undefined {
  const said = { ...limitsFrom(flags), ...(phases ? { phases } : {}), ...(roles ? { roles } : {}) };
  return Object.keys(said).length > 0 ? said : undefined;
}

/** Suspended by a rule or a limit: only a person's word lets it go on. */
const NEEDS_A_WORD: ReadonlySet<string> = new Set(["paused", "budget", "time"]);

/** What is said now counts; otherwise what was said when the run was started. */
async function agentFlags(project: Project, row: RunRow, flags: AgentFlags): Promise<AgentFlags> {
  const { places, pipelines } = project;
  if (flags.agents === undefined && flags.agent.length === 0) {
    return (await readNotes(places, row.id))?.agents ?? { agent: [] };
  }
  const phases = pipelines.get(row.pipeline).phases.map((phase) => phase.title);
  await keepNotes(places, row.id, { ...(await readNotes(places, row.id)), agents: flags, phases });
  return flags;
}

export function refuseEnded(row: RunRow): void {
  if (!FINISHED.some((status) => status === row.status)) return;
  throw new SignalboxError(
    "RUN_ENDED",
    `The run ${row.id} has ended: ${row.status}${row.reason ? `, ${row.reason}` : ""}.`,
    `An end is final. See it with \`signalbox status ${row.id}\`, or start a new run.`,
  );
}
