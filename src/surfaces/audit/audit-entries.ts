import type { DatabaseSync } from "node:sqlite";
import type { SqlRule } from "../../core/authoring/rule.ts";
import { type AuditGate, createGateJudge, type Subject } from "./gate-judge.ts";
import { UNREADABLE } from "./mapped-checks.ts";

export type AuditEntry = {
  readonly run_id: string;
  readonly task_id: string;
  readonly kind: "task" | "review";
  /** The last round of a task, or the round of the review. Absent if the ledger does not record it. */
  readonly round?: number;
  readonly gates: Readonly<Record<string, AuditGate>>;
};
export type AuditInput = {
  readonly checks: DatabaseSync;
  readonly columns: ReadonlySet<string>;
  readonly rules: readonly SqlRule[];
};

/** Evaluates one entry per task with work and one per round of each review. */
export function evaluateEntries(judged: AuditInput): AuditEntry[] {
  const judge = createGateJudge(judged);
  const rules = {
    task: judged.rules.filter((rule) => !isReviewRule(rule)),
    review: judged.rules.filter(isReviewRule),
  };
  return listSubjects(judged.checks).map((subject) => {
    const isRoundKnown = judged.columns.has("round") && subject.round !== null && subject.round !== UNREADABLE;
    return {
      run_id: subject.run,
      task_id: subject.task,
      kind: subject.kind,
      ...(isRoundKnown ? { round: subject.round } : {}),
      gates: Object.fromEntries(rules[subject.kind].map((rule) => [rule.id, judge(rule, subject)])),
    };
  });
}

function isReviewRule(rule: SqlRule): boolean {
  return rule.sql.includes("phase = 'review'");
}

function listSubjects(checks: DatabaseSync): Subject[] {
  const tasks = checks.prepare(
    `SELECT run_id AS run, task_id AS task, 'task' AS kind, MAX(CASE WHEN phase = 'after' THEN round END) AS round,
    SUM(round = ${UNREADABLE}) AS strays FROM anvil_checks WHERE phase IN ('baseline', 'after') GROUP BY run_id, task_id`,
  );
  // Unreadable rows of a review may belong to any of its rounds, so each round counts all of them.
  const reviews = checks.prepare(
    `SELECT run_id AS run, task_id AS task, 'review' AS kind, round,
    SUM(SUM(round = ${UNREADABLE})) OVER (PARTITION BY run_id, task_id) AS strays
    FROM anvil_checks WHERE phase = 'review' GROUP BY run_id, task_id, round ORDER BY run_id, task_id, round`,
  );
  // The cast holds because both queries select exactly these columns.
  return [...tasks.all(), ...reviews.all()] as unknown as Subject[];
}
