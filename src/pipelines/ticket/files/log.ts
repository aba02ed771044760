import { z } from "zod";

/**
 * Events of the log. `role_violation` and `stopped` are additions to the seed's list.
 * @rule T-25 (declaration) The engine writes one append-only log, `log.jsonl`, with each event at its step.
 */
export const EVENTS = [
  "startup.analysis.start",
  "startup.analysis.complete",
  "start",
  "resume",
  "iteration.start",
  "planner.pre_git_gate.start",
  "planner.complete",
  "splitter.skipped_planner_provided",
  "tasks.yaml.invalid",
  "tasks.ready",
  "git.gate.start",
  "git.gate.complete",
  "trivial.auto_accept",
  "task.max_attempts",
  "iteration.accepted",
  "docs.refresh",
  "role_violation",
  "stopped",
] as const;
export type LogEvent = (typeof EVENTS)[number];

const AGENT = "Orchestrator";

/** One line of `log.jsonl`. */
export const LogLine = z.object({
  timestamp: z.iso.datetime(),
  level: z.enum(["INFO", "ERROR", "CRITICAL_VIOLATION"]),
  agent: z.literal(AGENT),
  event: z.templateLiteral(["orchestrator.", z.enum(EVENTS)]),
  iteration: z.int().nullable(),
  task_id: z.string().nullable(),
  parallel_group: z.string().nullable(),
  message: z.string(),
  role_violation: z.string().optional(),
});
export type LogLine = z.infer<typeof LogLine>;

export type LogEntry = {
  readonly event: LogEvent;
  readonly message?: string;
  readonly level?: LogLine["level"];
  readonly task?: string;
  readonly group?: string;
  /** Role that wrote outside its files. */
  readonly violation?: string;
  /** Time of an event that happened before the log was opened. */
  readonly at?: string;
};

export function formatLogLine(said: LogEntry, { now, iteration }: { now: string; iteration: number | null }): string {
  const line: LogLine = {
    timestamp: said.at ?? now,
    level: said.level ?? "INFO",
    agent: AGENT,
    event: `orchestrator.${said.event}`,
    iteration,
    task_id: said.task ?? null,
    parallel_group: said.group ?? null,
    message: said.message ?? "",
    ...(said.violation === undefined ? {} : { role_violation: said.violation }),
  };
  return JSON.stringify(line);
}

/** Appends lines; existing text stays byte for byte. */
export function appendLines(before: string, lines: readonly string[]): string {
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${before}${gap}${lines.map((line) => `${line}\n`).join("")}`;
}
