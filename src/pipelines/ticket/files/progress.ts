import { z } from "zod";
import { TicketId, TYPES } from "../contracts.ts";

/**
 * Steps of the workflow and their phases, in order.
 * @rule T-38 (declaration) Each step belongs to one phase, and steps come in order: I2, O1, O3, O4, O4.5, O5, O6, O7.
 */
export const STEPS = {
  I2: "INITIALIZED",
  O1: "PLANNING",
  O3: "PLANNING",
  O4: "SPLITTING",
  "O4.5": "GIT_GATE",
  O5: "TASK_EXECUTION",
  O6: "REVIEW",
  O7: "DOC_REFRESH",
} as const;
export type Step = keyof typeof STEPS;

// The keys and values of a record are those it was declared with.
const STEP_NAMES = Object.keys(STEPS) as [Step, ...Step[]];
const PHASES = [...new Set(Object.values(STEPS))] as [(typeof STEPS)[Step], ...(typeof STEPS)[Step][]];

const CAP_BEFORE_ACCEPTANCE = 95;
const MINUTE_MS = 60_000;

const Moment = z.iso.datetime({ offset: true });
const Minutes = z.number().nonnegative().nullable();
const Count = z.int().nonnegative();

const Metrics = z.object({
  tasks_total: Count.default(0),
  tasks_completed: Count.default(0),
  groups_total: Count.default(0),
  groups_completed: Count.default(0),
  percent_complete: z.int().min(0).max(100).default(0),
  elapsed_minutes_estimate: z.number().nonnegative().default(0),
  remaining_minutes_estimate: Minutes.default(null),
  eta_confidence: z.enum(["low", "medium", "high"]).default("low"),
  first_code_change_at: Moment.nullable().default(null),
  lead_time_to_first_code_change_minutes: Minutes.default(null),
  latest_group_cycle_minutes_estimate: Minutes.default(null),
  latest_iteration_cycle_minutes_estimate: Minutes.default(null),
});
export type Metrics = z.infer<typeof Metrics>;

const Startup = z.object({
  docs_state: z.object({
    architecture_exists: z.boolean(),
    code_style_exists: z.boolean(),
    findings_exists: z.boolean(),
    docs_trusted_for_planning: z.boolean(),
    refresh_required: z.boolean(),
  }),
  impact_scan: z.object({ affected_areas: z.array(z.string()), likely_files: z.array(z.string()) }),
  planning_ready: z.boolean(),
  updated_at: Moment,
});

const Iteration = z.object({
  number: Count,
  status: z.enum(["PENDING", "ACCEPTED", "REJECTED"]),
  started_at: Moment,
  completed_at: Moment.nullable(),
  tasks_total: Count,
  tasks_accepted: Count,
});

/** `progress.yaml`. Fields that a resume needs are required; the others are recomputed if missing. */
export const Progress = z.object({
  jira: TicketId,
  type: z.enum(TYPES),
  slug: z.string().min(1),
  branch: z.string().min(1),
  build_command: z.string().min(1),
  test_command: z.string().min(1),
  /** File that each command was found in. */
  build_command_from: z.string().optional(),
  test_command_from: z.string().optional(),
  max_parallel_tasks: z.int().min(1),
  docs_cache_state_path: z.string().min(1),
  docs_trusted_for_planning: z.boolean().default(false),
  trust_status: z.enum(["trusted", "stale", "unknown"]).default("unknown"),
  git_gate_completed: z.boolean(),
  cycle_acceleration_mode: z.enum(["standard", "trivial_graph"]),
  startup: Startup.optional(),
  metrics: Metrics.prefault({}),
  iteration_number: z.int().min(0).max(5),
  current_phase: z.enum(PHASES),
  current_step: z.enum(STEP_NAMES),
  current_task_id: z.string().nullable().default(null),
  current_task_attempt: Count.default(0),
  status: z.enum(["PENDING", "PAUSED", "ACCEPTED", "REJECTED", "ERROR"]),
  created_at: Moment,
  last_updated: Moment.optional(),
  last_checkpoint: z
    .object({ timestamp: Moment, git_head: z.string(), phase: z.enum(PHASES), step: z.enum(STEP_NAMES) })
    .optional(),
  iterations: z.array(Iteration).default([]),
  /** Run whose journal has the full history; absent if another program wrote the file. */
  run_id: z.string().optional(),
});
export type Progress = z.infer<typeof Progress>;

/**
 * Computes the metrics from accepted tasks and elapsed time.
 * @rule T-20 (policy) The progress line shows p = min(95, ⌊100a/n⌋) percent until acceptance, and the ETA from the
 *   elapsed time per accepted task, or `unknown` before the first.
 */
export function computeMetrics(progress: Progress, now: number): Metrics {
  const { metrics, status } = progress;
  const { tasks_total: all, tasks_completed: done } = metrics;
  // The file may come from a machine whose clock is ahead.
  const elapsed = Math.max(0, now - Date.parse(progress.created_at));
  const share = all > 0 ? Math.floor((100 * done) / all) : 0;
  return {
    ...metrics,
    percent_complete: status === "ACCEPTED" ? 100 : Math.min(CAP_BEFORE_ACCEPTANCE, share),
    elapsed_minutes_estimate: toMinutes(elapsed),
    remaining_minutes_estimate: done > 0 ? Math.ceil(((elapsed / done) * (all - done)) / MINUTE_MS) : null,
    eta_confidence: done === 0 ? "low" : 2 * done < all ? "medium" : "high",
    lead_time_to_first_code_change_minutes:
      metrics.first_code_change_at === null
        ? null
        : toMinutes(Date.parse(metrics.first_code_change_at) - Date.parse(progress.created_at)),
  };
}

export function formatProgress(metrics: Metrics): string {
  const { percent_complete, tasks_completed, tasks_total, remaining_minutes_estimate: left } = metrics;
  const done = `Completed: ${tasks_completed}/${tasks_total} tasks`;
  return `Progress: ${percent_complete}% | ${done} | ETA: ~${left ?? "unknown"} min remaining`;
}

/** One decimal, because cycles of small tickets are short. */
export const toMinutes = (ms: number): number => Math.round(Math.max(0, ms) / (MINUTE_MS / 10)) / 10;

export const toIsoTime = (ms: number): string => new Date(ms).toISOString();
