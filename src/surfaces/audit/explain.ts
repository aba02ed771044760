import type { DatabaseSync } from "node:sqlite";
import type { SqlRule } from "../../core/authoring/rule.ts";
import type { Subject } from "./gate-judge.ts";

type Explanation = {
  readonly rule: SqlRule;
  readonly subject: Subject;
  readonly actual: number;
  readonly need: number;
  readonly passed: boolean;
};

const MAX_NAMES = 5;

/** Creates a function that explains a gate result: the counted and required numbers, and the rows that decided. */
export function createExplainer(checks: DatabaseSync): (explained: Explanation) => string {
  const failed = prepareNameQuery(checks, "check_name", "phase = 'after' AND passed = 0");
  const reviewers = prepareNameQuery(checks, "instance", "phase = 'review'");
  return ({ rule, subject, actual, need, passed }) => {
    const wanted = rule.compare === "exactly" ? `exactly ${need}` : `at least ${need}`;
    const assumed = typeof rule.need === "string" ? ", which assumes a Standard task" : "";
    const counted = `found ${actual}, needs ${wanted}${assumed}`;
    if (passed) return counted;
    const decided =
      subject.kind === "task"
        ? typeof rule.need === "string" && formatNames("failed", failed(subject))
        : rule.compare !== "exactly" || need > 0
          ? formatNames("recorded reviewers", reviewers(subject))
          : false;
    return [`${rule.because}: ${counted}`, decided].filter(Boolean).join("; ");
  };
}

function prepareNameQuery(checks: DatabaseSync, column: string, where: string): (subject: Subject) => string[] {
  const find = checks.prepare(
    `SELECT DISTINCT ${column} AS name FROM anvil_checks
    WHERE run_id = ? AND task_id = ? AND round = ? AND ${where} ORDER BY 1 LIMIT ${MAX_NAMES + 1}`,
  );
  return ({ run, task, round }) => find.all(run, task, round).map((row) => String(row["name"]) || "(none named)");
}

function formatNames(what: string, names: readonly string[]): string | false {
  if (names.length === 0) return false;
  return `${what}: ${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : ""}`;
}
