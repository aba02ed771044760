import type { Evidence } from "../../../core/authoring/verbs.ts";
import { describeOwnCheck } from "../../evidence-line.ts";
import type { ExecutionReport } from "../acting/execute-phase.ts";
import { dropEmpty } from "../planning/plan-excerpts.ts";

/** The executor's claims about its work, without what the engine knows better. */
export function extractClaims({
  status,
  summary,
  changes,
  ui_changes,
  docs_created,
  docs_updated,
  not_changed,
  ...work
}: ExecutionReport): object {
  const { tests, build, lint, outside } = work;
  const files = { changes, ui_changes, docs_created, docs_updated, not_changed };
  return Object(dropEmpty({ status, summary, ...files, tests, build, lint, dropped_because_not_planned: outside }));
}

/** Check results of the engine: outcome, reason and other findings. */
export function extractChecks({ checks, tamper, findings }: Evidence): unknown {
  const results = checks.map((check) => {
    const { name, outcome, because = describeOwnCheck(check) } = check;
    return { name, outcome, because };
  });
  return dropEmpty({ checks: results, tamper, findings });
}
