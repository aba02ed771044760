import { z } from "zod";

/**
 * Evidence tables, with the column names that existing users know. A row is part of the journal record that it follows
 * from, so that a host writes both in one transaction and `evidence --verify` can derive the tables from the journal
 * alone.
 */
export const LEDGER_TABLES = {
  anvil_checks: [
    "run_id",
    "task_id",
    "phase",
    "check_name",
    "tool",
    "command",
    "exit_code",
    "output_snippet",
    "passed",
    "verdict",
    "severity",
    "round",
    "instance",
    "tree",
    "ts",
  ],
  pipeline_telemetry: [
    "run_id",
    "step",
    "agent",
    "instance",
    "started_at",
    "completed_at",
    "status",
    "dispatch_count",
    "retry_count",
    "notes",
    "ts",
  ],
  artifact_evaluations: [
    "run_id",
    "evaluator_agent",
    "evaluator_instance",
    "artifact_path",
    "usefulness_score",
    "clarity_score",
    "missing_information",
    "inaccuracies",
    "impact_on_work",
    "ts",
  ],
  instruction_updates: ["run_id", "agent", "file_path", "change_type", "change_summary", "applied", "ts"],
} as const;

/** All other columns are TEXT. */
export const INTEGER_COLUMNS: ReadonlySet<string> = new Set([
  "exit_code",
  "passed",
  "round",
  "dispatch_count",
  "retry_count",
  "usefulness_score",
  "clarity_score",
  "applied",
]);

export type LedgerTable = keyof typeof LEDGER_TABLES;

const TABLE_NAMES = ["anvil_checks", "pipeline_telemetry", "artifact_evaluations", "instruction_updates"] as const;

/** `run_id` and `ts` come from the record and cannot be set here. */
export const LedgerRow = z.object({
  table: z.enum(TABLE_NAMES),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type LedgerRow = z.infer<typeof LedgerRow>;
