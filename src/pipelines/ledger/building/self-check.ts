import { type Rule, sqlRule, valueRule } from "../../../core/authoring/rule.ts";
import { PERSPECTIVES } from "../contracts.ts";

/** Facts about the run at its end. */
export type RunAccount = {
  readonly steps: readonly string[];
  readonly skipped: Readonly<Record<string, string>>;
  /** Gates whose last decision did not pass. */
  readonly refused: readonly string[];
  readonly rounds: Readonly<Record<keyof typeof BUDGETS, number>>;
  readonly outputs: readonly string[];
  readonly committed: boolean;
  readonly status: string;
  readonly dispatches: number;
};

/** Maximum rounds of each loop. */
export const BUDGETS = { research: 3, design: 2, plan: 3, verification: 3, review: 2 } as const;

/** Steps, with the file name endings of their outputs. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  "0 Setup": ["/initial-request.md"],
  "1 Research": [".yaml"],
  "2 Spec": ["/spec-output.yaml", "/feature.md"],
  "3 Design": ["/design-output.yaml", "/design.md"],
  "3b Design review": reviewDocuments("design"),
  "4 Plan": ["/plan-output.yaml", "/plan.md"],
  "5 Implement": [],
  "6 Verify": [],
  "7 Code review": reviewDocuments("code"),
  "8 Knowledge": ["/decisions.yaml", "/evidence-bundle.md"],
  "9 Commit": [],
};

function reviewDocuments(scope: "design" | "code"): readonly string[] {
  return PERSPECTIVES.flatMap((perspective) => [`/${scope}-${perspective}.yaml`, `/${scope}-${perspective}.md`]);
}

const createRule = (id: string, because: string, misses: (account: RunAccount) => readonly string[]) =>
  valueRule({
    id,
    because,
    judge: (account: RunAccount) => {
      const missed = misses(account);
      return {
        passed: missed.length === 0,
        findings:
          missed.length === 0 ? [] : [{ severity: "minor" as const, message: `${because}: not ${missed.join(", ")}` }],
      };
    },
  });

/**
 * Self-checks of the run. Each result is recorded under its id; none of them improves the run's result.
 * @rule L-31 (gate) The self-check records one result each for steps, gates, errors, blocker verdicts, budgets,
 *   outputs, commit and telemetry.
 */
export const SELF_CHECK: readonly Rule<RunAccount>[] = [
  createRule("SC-1", "every step was run, or skipped with a reason", ({ steps, skipped }) =>
    Object.keys(STEPS).filter((step) => !steps.includes(step) && !skipped[step]),
  ),
  createRule("SC-2", "every gate that applied passed in the end", ({ refused }) => refused),
  sqlRule({
    id: "SC-3",
    because: "no dispatch that the run needed ended in ERROR",
    sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM pipeline_telemetry
WHERE run_id = :run AND status IN ('ERROR', 'TIMEOUT') AND agent NOT IN ('researcher', 'knowledge')`,
    need: 0,
    compare: "exactly",
  }),
  sqlRule({
    id: "SC-4",
    because: "no reviewer gave a blocker",
    sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND verdict = 'blocker'",
    need: 0,
    compare: "exactly",
  }),
  createRule("SC-5", "no loop exceeded its limit", ({ rounds }) =>
    Object.entries(BUDGETS).flatMap(([loop, most]) => {
      // The keys of `BUDGETS` are the keys of `rounds`.
      const was = rounds[loop as keyof typeof BUDGETS];
      return was > most ? [`${loop}: ${was} of ${most}`] : [];
    }),
  ),
  sqlRule({
    id: "SC-5b",
    because: "no dispatch was retried more than once",
    sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM pipeline_telemetry
WHERE run_id = :run AND retry_count > 1`,
    need: 0,
    compare: "exactly",
  }),
  createRule("SC-6", "every step that was run left its outputs", ({ steps, outputs }) =>
    steps.flatMap((step) => (STEPS[step] ?? []).filter((end) => !outputs.some((path) => path.endsWith(end)))),
  ),
  createRule("SC-7", "the work was committed, or it is recorded why not", ({ committed, skipped, status }) =>
    committed || skipped["9 Commit"] || status !== "done" ? [] : ["neither"],
  ),
  sqlRule({
    id: "SC-8",
    because: "every dispatch has its telemetry row",
    sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM pipeline_telemetry WHERE run_id = :run",
    need: ":dispatches",
    compare: "exactly",
  }),
];
