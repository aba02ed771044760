import { stringify } from "yaml";
import type { Verbs } from "../../core/verbs.ts";
import type { Prompt, Tasks } from "./contracts.ts";

const CAP_BEFORE_ACCEPTANCE = 95;
const MINUTE_MS = 60_000;

export type Progress = {
  readonly iteration_number: number;
  readonly current_phase: string;
  readonly current_step: string;
  readonly status: "PENDING" | "PAUSED" | "ACCEPTED" | "REJECTED";
  readonly git_gate_completed: boolean;
  readonly cycle_acceleration_mode: "standard" | "trivial_graph";
  readonly tasks_total: number;
  readonly tasks_completed: number;
};

const FRESH: Progress = {
  iteration_number: 0,
  current_phase: "INITIALIZED",
  current_step: "I2",
  status: "PENDING",
  git_gate_completed: false,
  cycle_acceleration_mode: "standard",
  tasks_total: 0,
  tasks_completed: 0,
};

type Startup = {
  readonly prompt: Prompt;
  readonly branch: string;
  readonly commands: Readonly<Record<string, string>>;
  readonly max_parallel_tasks: number;
  readonly trust_status: string;
  readonly startedAt: number;
};

/** The ticket's books in `prompts/<ticket>/`: only the engine writes them, at every transition. */
export function bookOf({ see, write, note }: Verbs<unknown>, folder: string, startup: Startup) {
  let progress = FRESH;
  const log: string[] = [];

  const save = async (change: Partial<Progress>, ...events: readonly string[]): Promise<void> => {
    progress = { ...progress, ...change };
    const now = await see("now");
    log.push(...events.map((event) => logLine(event, { now, iteration: progress.iteration_number })));
    await write(`${folder}/progress.yaml`, progressText(startup, progress, now), { to: "checkout" });
    if (events.length > 0) await write(`${folder}/log.jsonl`, `${log.join("\n")}\n`, { to: "checkout" });
    await note({ progress: progressLine(progress, now - startup.startedAt) });
  };

  const iteration = () => `${folder}/iteration_${progress.iteration_number}`;
  const keep = async (name: string, text: string): Promise<void> => {
    await write(`${iteration()}/${name}`, text, { to: "checkout" });
  };
  const keepTasks = (tasks: Tasks, accepted: readonly string[]): Promise<void> => {
    const status = (id: string, was: string) => (accepted.includes(id) ? "ACCEPTED" : was);
    const all = tasks.tasks.map((task) => ({ ...task, status: status(task.id, task.status) }));
    return keep("tasks.yaml", stringify({ ...tasks, tasks: all }));
  };
  return { save, keep, keepTasks, iteration, progress: () => progress };
}

export function progressLine(
  progress: Pick<Progress, "status" | "tasks_total" | "tasks_completed">,
  elapsedMs: number,
): string {
  const { status, tasks_total: all, tasks_completed: done } = progress;
  const percent =
    status === "ACCEPTED" ? 100 : Math.min(CAP_BEFORE_ACCEPTANCE, all > 0 ? Math.floor((100 * done) / all) : 0);
  const left = done > 0 ? Math.ceil(((elapsedMs / done) * (all - done)) / MINUTE_MS) : "unknown";
  return `Progress: ${percent}% | Completed: ${done}/${all} tasks | ETA: ~${left} min remaining`;
}

function progressText(startup: Startup, progress: Progress, now: number): string {
  const { prompt, branch, commands, max_parallel_tasks, trust_status, startedAt } = startup;
  const { tasks_total, tasks_completed, ...rest } = progress;
  const at = new Date(now).toISOString();
  return stringify({
    jira: prompt.jira,
    type: prompt.type,
    slug: prompt.slug,
    branch,
    build_command: commands["build"] ?? "NOT_AVAILABLE",
    test_command: commands["test"] ?? "NOT_AVAILABLE",
    max_parallel_tasks,
    trust_status,
    docs_trusted_for_planning: trust_status === "trusted",
    ...rest,
    metrics: { tasks_total, tasks_completed },
    created_at: new Date(startedAt).toISOString(),
    last_updated: at,
    last_checkpoint: { timestamp: at, phase: progress.current_phase, step: progress.current_step },
  });
}

function logLine(event: string, { now, iteration }: { now: number; iteration: number }): string {
  const timestamp = new Date(now).toISOString();
  return JSON.stringify({ timestamp, level: "INFO", agent: "Orchestrator", event: `orchestrator.${event}`, iteration });
}
