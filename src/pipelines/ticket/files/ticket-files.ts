import type { Verbs } from "../../../core/authoring/verbs.ts";
import { getIterationFolder, getTicketFolder, toYaml } from "../artifacts.ts";
import type { TaskBoard } from "./board.ts";
import { appendLines, formatLogLine, type LogEntry, type LogEvent } from "./log.ts";
import {
  computeMetrics,
  formatProgress,
  type Metrics,
  type Progress,
  STEPS,
  type Step,
  toIsoTime,
  toMinutes,
} from "./progress.ts";

export type ProgressChange = Partial<Omit<Progress, "metrics">> & { readonly metrics?: Partial<Metrics> };
export type LogInput = LogEvent | LogEntry;

/** The ticket's files in `prompts/<ticket>/`. Only the engine writes them, and never from inside a parallel branch. */
export type TicketFiles = {
  progress(): Progress;
  /** Enters a step, with its phase and checkpoint. Returns the time. */
  at(step: Step, change?: ProgressChange, ...lines: readonly LogInput[]): Promise<number>;
  save(change: ProgressChange | ((now: number) => ProgressChange), ...lines: readonly LogInput[]): Promise<number>;
  /** Writes a file of the current iteration. */
  keep(name: string, text: string): Promise<void>;
  folder(): string;
  /** Writes the task file with the other files from now on. */
  open(board: TaskBoard): void;
  beginIteration(number: number): Promise<void>;
  closeIteration(status: "ACCEPTED" | "REJECTED"): Promise<void>;
};

type Opening = { readonly progress: Progress; readonly log: string; readonly head: string };

/** @rule T-07 (code) `progress.yaml` is complete before planning begins, and each transition updates its checkpoint. */
export function openTicketFiles({ see, write, note }: Verbs<unknown>, opening: Opening): TicketFiles {
  const { head } = opening;
  const root = getTicketFolder(opening.progress.jira);
  let { progress, log } = opening;
  let board: TaskBoard | undefined;
  let tasksText = "";
  let noted = "";

  const writeTasks = async (now: string): Promise<void> => {
    board?.stamp(now);
    const text = board ? toYaml(board.file()) : "";
    if (text === tasksText) return;
    tasksText = text;
    await write(`${folder()}/tasks.yaml`, text, { to: "checkout" });
  };
  const save: TicketFiles["save"] = async (change, ...lines) => {
    const now = await see("now");
    const time = toIsoTime(now);
    await writeTasks(time);
    progress = applyChange(progress, typeof change === "function" ? change(now) : change, { now, board });
    await write(`${root}/progress.yaml`, toYaml(progress), { to: "checkout" });
    if (lines.length > 0) {
      const at = { now: time, iteration: progress.iteration_number };
      log = appendLines(
        log,
        lines.map((line) => formatLogLine(typeof line === "string" ? { event: line } : line, at)),
      );
      await write(`${root}/log.jsonl`, log, { to: "checkout" });
    }
    const shown = formatProgress(progress.metrics);
    if (shown !== noted) await note({ ticket: progress.jira, branch: progress.branch, progress: shown });
    noted = shown;
    return now;
  };
  const folder = () => getIterationFolder(progress.jira, progress.iteration_number);
  const at: TicketFiles["at"] = (step, change = {}, ...lines) =>
    save((now) => ({ ...change, ...createCheckpoint(step, { now, head }) }), ...lines);
  return {
    progress: () => progress,
    at,
    save,
    async keep(name, text) {
      await write(`${folder()}/${name}`, text, { to: "checkout" });
    },
    folder,
    open(next) {
      board = next;
    },
    async beginIteration(number) {
      board = undefined;
      tasksText = "";
      await save(
        (now) => ({ ...startIteration(progress, { number, now }), ...createCheckpoint("O1", { now, head }) }),
        "iteration.start",
      );
    },
    async closeIteration(status) {
      await save(
        (now) => endIteration(progress, { status, now }),
        ...(status === "ACCEPTED" ? (["iteration.accepted"] as const) : []),
      );
    },
  };
}

/** Builds the checkpoint of a transition: step, phase, time and commit. */
function createCheckpoint(step: Step, { now, head }: { now: number; head: string }): ProgressChange {
  const phase = STEPS[step];
  const last_checkpoint = { timestamp: toIsoTime(now), git_head: head, phase, step };
  return { current_phase: phase, current_step: step, last_checkpoint };
}

const NOTHING_DONE = { tasks_total: 0, tasks_completed: 0, groups_total: 0, groups_completed: 0 };

function startIteration({ iterations }: Progress, { number, now }: { number: number; now: number }): ProgressChange {
  const entry = { number, status: "PENDING" as const, started_at: toIsoTime(now), completed_at: null };
  return {
    iteration_number: number,
    current_task_id: null,
    current_task_attempt: 0,
    cycle_acceleration_mode: "standard",
    metrics: NOTHING_DONE,
    iterations: [
      ...iterations.filter((each) => each.number !== number),
      { ...entry, tasks_total: 0, tasks_accepted: 0 },
    ],
  };
}

function endIteration(
  progress: Progress,
  { status, now }: { status: "ACCEPTED" | "REJECTED"; now: number },
): ProgressChange {
  const { iterations, iteration_number } = progress;
  const started = iterations.find(({ number }) => number === iteration_number)?.started_at ?? progress.created_at;
  return {
    iterations: iterations.map((each) =>
      each.number === iteration_number ? { ...each, status, completed_at: toIsoTime(now) } : each,
    ),
    metrics: { latest_iteration_cycle_minutes_estimate: toMinutes(now - Date.parse(started)) },
  };
}

function applyChange(
  progress: Progress,
  change: ProgressChange,
  at: { now: number; board: TaskBoard | undefined },
): Progress {
  const { metrics, ...rest } = change;
  const counted = at.board && { tasks_completed: at.board.accepted().length };
  const first = progress.metrics.first_code_change_at ?? at.board?.firstChange() ?? null;
  const merged = { ...progress.metrics, ...counted, first_code_change_at: first, ...metrics };
  const next = { ...progress, ...rest, last_updated: toIsoTime(at.now), metrics: merged };
  const counts = { tasks_total: merged.tasks_total, tasks_accepted: merged.tasks_completed };
  const iterations = next.iterations.map((each) =>
    each.number === next.iteration_number ? { ...each, ...counts } : each,
  );
  return { ...next, iterations, metrics: computeMetrics(next, at.now) };
}
