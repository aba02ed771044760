import { expect, test } from "vitest";
import type { CheckOutcome } from "../../src/core/checks/outcome/outcome.ts";
import { TRIES_ALL } from "../often.ts";
import type { Situation } from "./situation.ts";
import * as situations from "./situations.ts";
import { COLUMNS, type Column, type Observed, stage } from "./stage.ts";

/** One row of the table: what holds in every pipeline. Rows of one situation share a run. */
type OutcomeRow = {
  readonly rule: string;
  readonly title: string;
  readonly situation: Situation;
  /** One exit code for all, or one per pipeline. */
  readonly exit: number | Readonly<Record<Column, number>>;
  readonly committed: boolean;
  /** All columns if undefined. */
  readonly columns?: readonly Column[];
  readonly dispatched?: false;
  /** The command, and its outcome in `evidence`. */
  readonly word?: readonly [check: string, word: CheckOutcome];
  /** Text in the run's output. */
  readonly prints: RegExp;
  /** Text in the output of `why`, if it says more than the end. */
  readonly why?: RegExp;
};

/** Blocked, asked whether to retry, out of rounds, paused after its attempts, or refused by the commit itself. */
const SENT_BACK = { roadmap: 3, phases: 3, ledger: 7, clusters: 1, ticket: 3, own: 1 } as const;
const bad = { situation: situations.turnedBad, exit: SENT_BACK, committed: false };
const green = { situation: situations.announced, exit: 0, committed: true };
const doubt = { situation: situations.undecided, exit: 3, committed: false };
const before = { exit: 4, committed: false, dispatched: false } as const;

const rows: readonly OutcomeRow[] = [
  {
    ...green,
    rule: "[A-22]",
    title: "a command that exits with 0 without a failed test passes, and the work is committed",
    word: ["test", "passed"],
    prints: /✓ check test .* passed, 2 tests/,
    why: /none failed/,
  },
  {
    ...green,
    rule: "[A-23]",
    title: "a command with the same failing tests as before is accepted, and the end has a caveat",
    word: ["rounding", "red-before"],
    prints: /caveat: .*rounding was red before and still is: tests\/rounding\.test\.js › half rounds down/,
    why: /caveat: .*half rounds down/,
  },
  {
    ...bad,
    rule: "[A-24]",
    title: "a command that newly exits with 1 is a regression",
    word: ["exits", "regression"],
    prints: /✗ check exits .* regression/,
    why: /engine: exits regression, exit 1/,
  },
  {
    ...bad,
    rule: "[A-22]",
    title: "a suite that exits with 0 despite a failed test fails, and the test is named",
    word: ["forged", "regression"],
    prints: /✗ check forged .*exit 0 although 1 test failed: tests\/price\.test\.js › twice doubles/,
    why: /engine: forged regression, exit 0 .*although 1 test failed/,
  },
  {
    ...bad,
    rule: "[A-23]",
    title: "a failing suite in which another test now fails is a regression, and the test is named",
    word: ["swapped", "regression"],
    prints: /✗ check swapped .*regression.* tests\/rounding\.test\.js › half is exact/,
    why: /engine: swapped regression, .*half is exact/,
  },
  {
    ...bad,
    rule: "[A-20]",
    title: "a command whose program disappeared with the work counts as not run",
    word: ["gone", "not-run"],
    prints: /⊘ check gone .*not-run.*its program was not found/,
  },
  {
    ...bad,
    rule: "[A-20]",
    title: "a suite that counted tests before and counts none now counts as not run",
    word: ["counts", "not-run"],
    prints: /⊘ check counts .*not-run.*it counted tests on the baseline and counts none now/,
  },
  {
    ...doubt,
    rule: "[A-23]",
    title: "a command that failed before and names no tests is referred to a person",
    word: ["unnamed", "red-before"],
    prints: /unnamed was red before and still is; it reports no test names, so it proves nothing/,
    why: /things that evidence cannot decide: commit all the same\?/,
  },
  {
    ...doubt,
    rule: "[A-24]",
    title: "a command with inconsistent results is referred to a person",
    word: ["wavers", "flaky"],
    prints: /wavers is flaky: the same tree gave different results/,
  },
  {
    rule: "[A-30]",
    title: "work without a change is not done, whatever files it lists",
    situation: situations.idle,
    exit: { roadmap: 3, phases: 3, ledger: 7, clusters: 1, ticket: 3, own: 1 },
    committed: false,
    prints: /nothing was changed|changes nothing|changed nothing/,
  },
  {
    rule: "[A-26]",
    title: "an old test that the work rewrote to pass is named, and a person is asked",
    situation: situations.rewritten,
    exit: 3,
    committed: false,
    word: ["exam-old-on-new", "regression"],
    prints: /was not announced: "twice doubles"/,
  },
  {
    ...green,
    rule: "[A-28]",
    title: "a declared and approved behavior change is committed",
    word: ["exam-old-on-new", "passed"],
    prints: /✓ check exam-old-on-new/,
  },
  {
    ...before,
    rule: "[A-21]",
    title: "a command that cannot run at the start ends the run with its output and a fix",
    situation: situations.missing,
    word: ["test", "not-run"],
    prints:
      /not-there-at-all: not found \(test: not-there-at-all\)\. Nothing was dispatched\.\n {2}next: .*install not-there-at-all/,
    why: /engine: test not-run, exit 127/,
  },
  {
    ...before,
    rule: "[A-24]",
    title: "without any command an autonomous run is refused with the missing configuration",
    situation: situations.bare,
    prints: /no-checks/,
  },
  {
    rule: "[A-24]",
    title: "without any command an interactive run asks before the first dispatch",
    situation: situations.bareAsked,
    exit: 3,
    committed: false,
    dispatched: false,
    prints: /No command of this repository can judge the work\. Go on without\?/,
    why: /Go on without\?/,
  },
  {
    rule: "[A-24]",
    title: "without any command and with a reason the work is committed, and the end names the source of the reason",
    situation: situations.exempt,
    columns: COLUMNS.filter((column) => column !== "phases"),
    exit: 0,
    committed: true,
    prints: /caveat: no command of the project has judged it: only prose here \(stated by \.signalbox\/config\.yaml\)/,
    why: /caveat: no command of the project has judged it: only prose here/,
  },
  {
    rule: "[P-23]",
    title: "without a build command a person decides if code can be complete, before it is written",
    situation: situations.exempt,
    columns: ["phases"],
    exit: 3,
    committed: false,
    // Planning roles leave no evidence.
    dispatched: false,
    prints: /This project has no build command\. Is code complete without one\?/,
  },
];

const TIMEOUT_MS = 480_000;
const played = new Map<string, Promise<Observed>>();
const all = Object.values(situations);

function observe(column: Column, situation: Situation): Promise<Observed> {
  const key = `${column} ${all.indexOf(situation)}`;
  const known = played.get(key) ?? stage(column, situation);
  played.set(key, known);
  return known;
}

const cells = rows.flatMap((row) =>
  selectColumns(row).map((column) => [`${row.rule} ${column}: ${row.title}`, { column, ...row }] as const),
);

/** Every situation runs in two pipelines, which change per situation; `npm run test:soak` runs all. */
function selectColumns({ columns = COLUMNS, situation }: OutcomeRow): readonly Column[] {
  if (TRIES_ALL) return columns;
  const first = all.indexOf(situation) % columns.length;
  const second = (first + Math.floor(columns.length / 2)) % columns.length;
  return columns.filter((_column, at) => at === first || at === second);
}

test.concurrent.each(cells)("%s", { timeout: TIMEOUT_MS }, async (_title, cell) => {
  const { column, situation, exit, committed, dispatched = true, word, prints, why } = cell;
  const seen = await observe(column, situation);
  expect(seen.printed).toMatch(prints);
  expect(seen).toMatchObject({ exit: typeof exit === "number" ? exit : exit[column], committed, dispatched });
  if (word) expect(seen.words[word[0]]).toContain(word[1]);
  if (why) expect(seen.why).toMatch(why);
});
