import type { Verbs } from "../../../core/authoring/verbs.ts";
import { getTicketFolder, toYaml } from "../artifacts.ts";
import { type Input, openContext, type TicketContext } from "../context.ts";
import type { Prompt } from "../contracts.ts";
import { DOCS_CACHE } from "../files/documents.ts";
import type { LogEntry } from "../files/log.ts";
import { type Progress, toIsoTime } from "../files/progress.ts";
import { openTicketFiles } from "../files/ticket-files.ts";
import { type Commands, getCommandLine, readCommands, restoreCommands } from "./commands.ts";
import { readDocs } from "./docs.ts";
import { scanImpact } from "./impact.ts";
import { processPrompt } from "./prompt-processing.ts";
import { findTicket, restoreProgress } from "./resume.ts";

const CORES_UNKNOWN = 2;

/**
 * Runs steps I0 to I2. Nothing is written before the ticket's files are opened at the end, and only an Interpreter may
 * be dispatched.
 */
export async function startUp(verbs: Verbs<Input>): Promise<TicketContext> {
  const { run } = verbs;
  const { jira, log, imported, instead } = await findTicket(verbs);
  const analysis = await analyzeCheckout(verbs);
  const { head, docs, files, impact, cores, begun, done } = analysis;
  const commands = imported ? restoreCommands(analysis.commands, imported.progress) : analysis.commands;
  const { prompt, told } = imported?.prompt
    ? { prompt: imported.prompt, told: [] }
    : await processPrompt(verbs, { jira, log });
  const fresh = createProgress({ run, prompt, now: begun, cores, commands, analysis });
  const progress = imported ? restoreProgress(fresh, imported.progress) : fresh;
  const ticketFiles = openTicketFiles(verbs, { progress, log, head: head.commit });
  const started = { jira, prompt, head, files, docs, impact, commands, ...(imported && { resumed: imported.at }) };
  const context = openContext(verbs, started, ticketFiles);
  await verbs.write(`${getTicketFolder(jira)}/prompt.yaml`, toYaml(prompt), { to: "checkout" });
  await verbs.write(`${getTicketFolder(jira)}/tmp/.gitkeep`, "", { to: "checkout" });
  const lines: LogEntry[] = [
    { event: "startup.analysis.start", at: toIsoTime(begun) },
    { event: "startup.analysis.complete", at: toIsoTime(done) },
    ...told,
  ];
  if (imported) await ticketFiles.save({}, ...lines, { event: "resume", message: `at ${progress.current_step}` });
  else
    await ticketFiles.at("I2", {}, ...lines, { event: "start", ...(instead && { message: describeRestart(instead) }) });
  return context;
}

const describeRestart = (instead: string): string => `restarted with the current request instead of: ${instead}`;

/**
 * Runs step I1: all observations in parallel, recorded and without changes.
 * @rule T-04 (code) Startup only observes: commands, cores, docs trust and the impact scan run together, and all of
 *   them are recorded.
 */
async function analyzeCheckout(verbs: Verbs<Input>) {
  const { input, see, together } = verbs;
  const begun = await see("now");
  const head = await see("head");
  const { startup, docs, files } = await together({
    startup: () => see("startup"),
    docs: () => readDocs(verbs, head),
    files: () => see("files", { under: "", in: head }),
  });
  const commands = await readCommands(verbs, { approved: startup.commands, files, tree: head });
  const impact = scanImpact(input.request, files);
  return { begun, head, files, docs, impact, commands, cores: limitCores(startup.cores), done: await see("now") };
}

/**
 * Returns the number of parallel tasks.
 * @rule T-30 (policy) Tasks run in parallel up to the number of CPU cores: at least 1, and 2 if the number is unknown.
 */
export function limitCores(cores: number): number {
  return Number.isFinite(cores) && cores >= 1 ? Math.floor(cores) : CORES_UNKNOWN;
}

type FreshTicket = {
  readonly run: string;
  readonly prompt: Prompt;
  readonly now: number;
  readonly cores: number;
  readonly commands: Commands;
  readonly analysis: Pick<Awaited<ReturnType<typeof analyzeCheckout>>, "docs" | "impact">;
};

function createProgress({ run, prompt, now, cores, commands, analysis }: FreshTicket): Progress {
  const { docs, impact } = analysis;
  const at = toIsoTime(now);
  return {
    run_id: run,
    jira: prompt.jira,
    type: prompt.type,
    slug: prompt.slug,
    branch: `${prompt.type}/${prompt.jira}_${prompt.slug}`,
    build_command: getCommandLine(commands, commands.build),
    test_command: getCommandLine(commands, commands.test),
    ...(commands.build === undefined ? {} : { build_command_from: commands.from[commands.build] }),
    ...(commands.test === undefined ? {} : { test_command_from: commands.from[commands.test] }),
    max_parallel_tasks: cores,
    docs_cache_state_path: DOCS_CACHE,
    docs_trusted_for_planning: docs.trusted,
    trust_status: docs.trust_status,
    git_gate_completed: false,
    cycle_acceleration_mode: "standard",
    startup: {
      docs_state: {
        architecture_exists: docs.exists.architecture,
        code_style_exists: docs.exists.code_style,
        findings_exists: docs.exists.findings,
        docs_trusted_for_planning: docs.trusted,
        refresh_required: docs.refresh.length > 0,
      },
      impact_scan: { affected_areas: [...impact.affected_areas], likely_files: [...impact.likely_files] },
      planning_ready: true,
      updated_at: at,
    },
    metrics: NO_METRICS,
    iteration_number: 0,
    current_phase: "INITIALIZED",
    current_step: "I2",
    current_task_id: null,
    current_task_attempt: 0,
    status: "PENDING",
    created_at: at,
    iterations: [],
  };
}

const NO_METRICS: Progress["metrics"] = {
  tasks_total: 0,
  tasks_completed: 0,
  groups_total: 0,
  groups_completed: 0,
  percent_complete: 0,
  elapsed_minutes_estimate: 0,
  remaining_minutes_estimate: null,
  eta_confidence: "low",
  first_code_change_at: null,
  lead_time_to_first_code_change_minutes: null,
  latest_group_cycle_minutes_estimate: null,
  latest_iteration_cycle_minutes_estimate: null,
};
