import fc from "fast-check";
import type { LedgerRow, LedgerTable } from "../../src/core/journal/ledger.ts";

/** Few enough that rows and questions meet; odd enough that two databases could see them differently. */
const TASKS = [
  "task-1",
  "Task-1",
  "task-1 ",
  "",
  "aufgäbe",
  "aufga\u0308be",
  "задача",
  "🚀",
  "a\u0000b",
  "\ud83d",
  "%",
  "o'1",
];
const SCOPES = ["code", "design", "", "🚀", "o'1"];
const CATEGORIES = ["security", "architecture", "correctness"];
const REVIEWERS = ["security-sentinel", "architecture-guardian", "pragmatic-verifier"];
const INSTANCES = [...REVIEWERS, "Security-Sentinel", "security-sentinel ", "somebody", ""];
const NAMES = ["tests", "Tests", "build", "scope", "", "tests\u0000", "тест", "review-code-security"];
const TREES = ["", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"];
const ROUNDS = [0, 1, 2, -1, 2 ** 31, Number.MAX_SAFE_INTEGER];

const among = <T>(values: readonly T[]) => fc.constantFrom(...values);
const task = among(TASKS);
const round = fc.oneof({ weight: 6, arbitrary: among([0, 1, 2]) }, { weight: 1, arbitrary: among(ROUNDS) });
const number = fc.oneof(fc.integer(), among([0, 1, 2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER, -0, 1.5, 1e300]));
/** Around the longest that a column takes, in characters that are one, two or four bytes long. */
const long = fc.tuple(fc.integer({ min: 495, max: 505 }), among(["x", "ä", "🚀"])).map(([n, char]) => char.repeat(n));
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), long, among(["", "\u0000", "\ud83d", "\\", "\n"]));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });

type Values = { readonly [column: string]: fc.Arbitrary<string | number | null> };
const row = (table: LedgerTable, values: Values): fc.Arbitrary<LedgerRow> =>
  fc.record(values, { requiredKeys: [] }).map((some) => ({
    table,
    // A column that is left out is not there at all, whatever the type of a partial record says.
    values: { ...REQUIRED[table], ...(some as LedgerRow["values"]) },
  }));

const STARTED = "2030-01-01T00:00:00.000Z";
const REQUIRED: Readonly<Record<LedgerTable, LedgerRow["values"]>> = {
  anvil_checks: { phase: "after", check_name: "tests", passed: 1 },
  pipeline_telemetry: { step: "7 Code review", agent: "reviewer", started_at: STARTED },
  artifact_evaluations: { evaluator_agent: "x", artifact_path: "a.md", usefulness_score: 1, clarity_score: 10 },
  instruction_updates: {
    agent: "x",
    file_path: ".github/instructions/a.md",
    change_type: "append",
    change_summary: "",
  },
};

const check = row("anvil_checks", {
  task_id: maybe(task),
  phase: among(["baseline", "after", "review"]),
  check_name: among(NAMES),
  command: maybe(text),
  exit_code: maybe(number),
  output_snippet: maybe(text),
  passed: among([0, 1]),
  verdict: maybe(among(["approve", "needs_revision", "blocker"])),
  severity: maybe(among(["Blocker", "Critical", "Major", "Minor"])),
  round: maybe(round),
  instance: maybe(among(INSTANCES)),
  tree: among(TREES),
});

const telemetry = row("pipeline_telemetry", {
  agent: among(["reviewer", "researcher", "knowledge", "Knowledge", ""]),
  instance: maybe(among(INSTANCES)),
  completed_at: maybe(among([STARTED, ""])),
  status: maybe(among(["DONE", "NEEDS_REVISION", "ERROR", "TIMEOUT"])),
  dispatch_count: maybe(number),
  retry_count: maybe(fc.oneof(among([0, 1, 2]), number)),
  notes: maybe(text),
});

const evaluation = row("artifact_evaluations", {
  artifact_path: among(["a.md", "ä/b.md", "../a.md", "/a.md"]),
  usefulness_score: among([1, 10, 11]),
  missing_information: maybe(text),
});

const update = row("instruction_updates", {
  file_path: among([".github/instructions/ä.md", ".github/copilot-instructions.md", "elsewhere.md"]),
  change_type: among(["create", "append", "modify", "delete", "rename"]),
  change_summary: text,
  applied: maybe(among([0, 1])),
});

/** Everything that a review round should leave, with a few rows missing and a few that say something else. */
const review = fc
  .record({
    about: fc.record({ task_id: task, round, scope: among(SCOPES), tree: among(TREES) }),
    gone: fc.uniqueArray(fc.nat(8), { maxLength: 2 }),
    verdicts: fc.array(fc.oneof({ weight: 8, arbitrary: fc.constant("approve") }, among(["needs_revision", null])), {
      minLength: 9,
      maxLength: 9,
    }),
  })
  .map(({ about, gone, verdicts }) => reviewRows(about, verdicts).filter((_row, at) => !gone.includes(at)));

type About = { readonly task_id: string; readonly round: number; readonly scope: string; readonly tree: string };

export function reviewRows({ scope, ...about }: About, verdicts: readonly (string | null)[]): LedgerRow[] {
  return REVIEWERS.flatMap((instance, nth) =>
    CATEGORIES.map((category, at) => ({
      table: "anvil_checks" as const,
      values: {
        ...about,
        phase: "review",
        check_name: `review-${scope}-${category}`,
        passed: 1,
        instance,
        verdict: verdicts[nth * CATEGORIES.length + at] ?? null,
      },
    })),
  );
}

const single = fc.oneof({ weight: 6, arbitrary: check }, { weight: 3, arbitrary: telemetry }, evaluation, update);

export type Asked = {
  readonly task: string;
  readonly round: number;
  readonly scope: string;
  readonly need: number;
  readonly baselines: number;
  readonly green: number;
  readonly dispatches: number;
};
export type Ledger = {
  /** One list per record, and two runs of them: a rule must not see the other's. */
  readonly records: readonly (readonly LedgerRow[])[];
  readonly others: readonly LedgerRow[];
  readonly about: Asked;
};

/** Invalid rows among them: both databases must refuse the same ones. */
export const randomLedger: fc.Arbitrary<Ledger> = fc.record({
  records: fc.array(fc.oneof({ weight: 3, arbitrary: fc.array(single, { maxLength: 4 }) }, review), { maxLength: 8 }),
  others: fc.array(single, { maxLength: 4 }),
  about: fc.record({
    task,
    round,
    scope: among(SCOPES),
    need: among([0, 1, 2, 3]),
    baselines: among([0, 1]),
    green: among([0, 1]),
    dispatches: fc.nat(6),
  }),
});
