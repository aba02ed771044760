import type { Decision } from "../../core/authoring/decision.ts";
import { type Finding, SEVERITIES } from "../../core/authoring/finding.ts";
import { sqlRule, valueRule } from "../../core/authoring/rule.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { collapseWhitespace } from "../commit-text.ts";
import type { Depth } from "../depth.ts";
import { CATEGORIES, type Concern, MAJORITY, PERSPECTIVES, type Verdict } from "./contracts.ts";
import type { CategorizedFinding } from "./documents/lenient-schema.ts";
import type { Task } from "./planning/plan.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const REVIEWERS = PERSPECTIVES.length;

const OF_TASK = "a.run_id = :run AND a.task_id = :task";
const OF_ROUND = `${OF_TASK} AND a.phase = 'review' AND a.round = :round
  AND a.instance IN (${PERSPECTIVES.map(quote).join(", ")})`;
const OF_SCOPE = `${OF_ROUND} AND a.check_name IN
  (${CATEGORIES.map((category) => `'review-' || :scope || ${quote(`-${category}`)}`).join(", ")})`;

export const EG_1 = sqlRule({
  id: "EG-1",
  because: "a task needs a baseline from before the work",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks a
WHERE ${OF_TASK} AND a.phase = 'baseline' AND a.round = 0`,
  need: ":baselines",
});

/**
 * A check that failed before and still fails counts neither way; any other failing check, or one that could not run,
 * fails the round. The engine's own checks count only beside passing commands of the project, because they prove no
 * behaviour.
 * @rule L-53 (gate) The engine's own checks count toward EG-2 only beside a green command of the project. A project
 *   without commands is refused before the first dispatch; if the plan needs checks that are missing, the run asks a
 *   person.
 */
export const EG_2 = sqlRule({
  id: "EG-2",
  because:
    "enough distinct checks must pass after the change, including a command of the project, and none may get worse",
  sql: `SELECT CASE WHEN SUM(CASE WHEN a.passed = 0 AND NOT EXISTS (
    SELECT 1 FROM anvil_checks b WHERE b.run_id = a.run_id AND b.task_id = a.task_id
    AND b.phase = 'baseline' AND b.check_name = a.check_name AND b.passed = 0) THEN 1 ELSE 0 END) > 0
  THEN 0 WHEN COUNT(DISTINCT CASE WHEN a.passed = 1 AND a.check_name NOT IN ('scope', 'tamper', 'parses')
    THEN a.check_name END) < :green
  THEN 0 ELSE CAST(COUNT(DISTINCT CASE WHEN a.passed = 1 THEN a.check_name END) AS INTEGER) END AS actual
FROM anvil_checks a WHERE ${OF_TASK} AND a.phase = 'after' AND a.round = :round`,
  need: ":need",
});

/** @rule L-40 (gate) A review that is still incomplete after the retries (EG-3, EG-5) is an ERROR, not a revision. */
export const EG_3 = sqlRule({
  id: "EG-3",
  because: `all ${REVIEWERS} reviewers must have submitted`,
  sql: `SELECT CAST(COUNT(DISTINCT a.instance) AS INTEGER) AS actual FROM anvil_checks a WHERE ${OF_ROUND}`,
  need: REVIEWERS,
  compare: "exactly",
  onMiss: "block",
});

export const EG_4 = sqlRule({
  id: "EG-4",
  because: "a blocker from any reviewer ends the run",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks a
WHERE ${OF_TASK} AND a.phase = 'review' AND a.round = :round AND a.verdict = 'blocker'`,
  need: 0,
  compare: "exactly",
  onMiss: "block",
});

export const EG_5 = sqlRule({
  id: "EG-5",
  because: `every reviewer must have judged all ${CATEGORIES.length} categories`,
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM (
  SELECT a.instance FROM anvil_checks a WHERE ${OF_SCOPE}
  GROUP BY a.instance HAVING COUNT(DISTINCT a.check_name) = ${CATEGORIES.length}) AS covered`,
  need: REVIEWERS,
  compare: "exactly",
  onMiss: "block",
});

/** @rule L-09 (gate) A missing or NULL verdict approves nothing. */
export const EG_6 = sqlRule({
  id: "EG-6",
  because: `${MAJORITY} of ${REVIEWERS} reviewers must approve in every category`,
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM (
  SELECT a.instance FROM anvil_checks a WHERE ${OF_SCOPE} GROUP BY a.instance
  HAVING COUNT(DISTINCT CASE WHEN a.verdict = 'approve' THEN a.check_name END) = ${CATEGORIES.length}
  AND COUNT(CASE WHEN a.verdict IS NULL OR a.verdict <> 'approve' THEN 1 END) = 0) AS approving`,
  need: MAJORITY,
});

/**
 * @rule L-10 (gate) Fewer than two full approvals, or one `needs_revision` in the security category, return the design
 *   once; all three reviewers then review it again.
 */
const SECURITY_DISSENT = sqlRule({
  id: "L-10",
  because: "no reviewer may return needs_revision for security",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks a
WHERE ${OF_ROUND} AND a.check_name = 'review-' || :scope || '-security' AND a.verdict = 'needs_revision'`,
  need: 0,
  compare: "exactly",
});

/**
 * Passes the reviewers' findings to the next round. A blocker finding blocks, whatever the verdict.
 * @rule L-11 (gate) One `blocker`, from any reviewer at any stage, ends the run in ERROR without a retry.
 */
const NO_BLOCKER = valueRule({
  id: "L-11",
  because: "no reviewer may report a blocker",
  judge: ({ reviews }: { reviews: readonly ReviewerVerdict[] }) => {
    const findings = reviews.flatMap(listObjections);
    const blocked = findings.some((finding) => finding.severity === "blocker");
    return { passed: !blocked, blocked, findings };
  },
});

export type ReviewerVerdict = Pick<Verdict, "verdicts" | "findings"> & { readonly by: string };

/**
 * @rule L-08 (gate) Reviews are decided by SQL over the ledger rows of this run, task and round: every reviewer, every
 *   category, no blocker, at least two full approvals.
 */
export const REVIEW = [EG_3, EG_5, EG_4, EG_6, SECURITY_DISSENT, NO_BLOCKER] as const;

/**
 * @rule L-02 (gate) Step 0 reads git status and branch, evaluates the request and lists existing outputs before step 1.
 *   A blocker halts in both modes.
 */
export const REQUEST = valueRule({
  id: "L-02",
  because: "a request with a blocking concern is not started",
  judge: ({ concerns }: { concerns: readonly Concern[] }) => {
    const blocking = concerns.filter((concern) => concern.severity === "blocker");
    const findings = blocking.map(({ text }): Finding => ({ severity: "blocker", message: text }));
    return { passed: blocking.length === 0, blocked: blocking.length > 0, findings };
  },
});

/** Findings of a check run about the change. */
type CheckEvidence = Pick<Evidence, "regressions" | "tamper" | "findings">;
const collectRegressions = ({ regressions, tamper }: CheckEvidence): readonly Finding[] => [...regressions, ...tamper];

/**
 * A finding above minor sends the task back, whatever its status.
 * @rule L-41 (gate) Each completed task has one verifier. NEEDS_REVISION sends the task back; DONE cannot pass a red
 *   gate.
 */
const VERIFIED = valueRule({
  id: "L-41",
  because: "the verifier must accept the task, and no check may have got worse or been weakened",
  judge: ({ said, evidence }: { said: VerifierReport; evidence: CheckEvidence }) => ({
    passed: said.status === "DONE" && said.findings.every(isMinor) && collectRegressions(evidence).length === 0,
    findings: [...collectRegressions(evidence), ...evidence.findings, ...said.findings.map(omitCategory)],
  }),
});
const isMinor = ({ severity }: CategorizedFinding): boolean => severity === "minor";
type VerifierReport = { readonly status: string; readonly findings: readonly CategorizedFinding[] };

/** Passing checks on an unchanged tree prove nothing about the task. Changes outside its files were discarded. */
const WORK_LEFT = valueRule({
  id: "A-30",
  because: "a task must change something",
  judge: ({ tree, left }: { tree: string; left: TreeChanges }) => {
    const outside = left.outside.map(
      (path): Finding => ({
        severity: "minor",
        message: `${path} is outside the task's files and was discarded`,
        files: [path],
      }),
    );
    if (left.changed.length > 0 && !left.before.includes(tree)) return { passed: true, findings: outside };
    return { passed: false, findings: [{ severity: "major", message: "nothing was changed" }, ...outside] };
  },
});

type TreeChanges = {
  /** Trees that the work and its task started from. */
  readonly before: readonly string[];
  /** Files that the agent changed, as observed by the engine. */
  readonly changed: readonly string[];
  readonly outside: readonly string[];
};

/**
 * @rule L-16 (gate) A task needs a baseline row, and at least two distinct passing checks in the current round (three
 *   for Large or red) with none failed.
 */
export const VERIFY = [EG_1, EG_2, VERIFIED, WORK_LEFT] as const;

/**
 * @rule L-43 (gate) All configured checks run once on the integrated tree before code review; a failing one counts as
 *   below threshold.
 */
export const INTEGRATED = valueRule({
  id: "L-43",
  because: "every check must pass on the integrated tree, and no task may be below its threshold",
  judge: ({
    whole,
    findings,
  }: {
    whole: CheckEvidence & Pick<Evidence, "passed" | "checks">;
    findings: readonly Finding[];
  }) => ({
    passed: whole.passed && findings.length === 0 && collectRegressions(whole).length === 0,
    findings: [
      ...findings,
      ...collectRegressions(whole),
      ...whole.findings,
      ...whole.checks.flatMap(describeFailedBefore),
    ],
  }),
});

/** Counts neither way; recorded, because the result then rests on the other checks. */
function describeFailedBefore({ name, outcome }: Evidence["checks"][number]): Finding[] {
  return outcome === "red-before" ? [{ severity: "minor", message: `${name} failed before and still fails` }] : [];
}

const RULE_IDS: ReadonlySet<string> = new Set([...REVIEW, ...VERIFY, INTEGRATED].map(({ id }) => id));

/** Selects findings on the work. A gate's own findings are for people, because agents cannot fix them. */
export function selectDefects(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ by }) => by === undefined || !RULE_IDS.has(by));
}

/** Returns how many distinct checks a task must pass. */
export const countRequiredChecks = (task: Pick<Task, "size" | "risk">): number =>
  task.size === "Large" || task.risk === "🔴" ? 3 : 2;

/**
 * Returns the thresholds for the project's commands. Without commands there is nothing to measure. A command that fails
 * only in tests that failed before proves as much as a passing one.
 */
export function getCommandThresholds(commands: readonly string[], { checks }: Pick<Evidence, "checks">) {
  const configured = commands.length > 0 ? 1 : 0;
  const shown = checks.some(({ outcome, proves }) => outcome === "red-before" && proves === true);
  return { baselines: configured, green: shown ? 0 : configured };
}

export type Confidence = "high" | "medium" | "low";

export function computeConfidence(run: {
  exhausted: boolean;
  decisions: readonly Decision[];
  depth?: Depth;
}): Confidence {
  if (run.exhausted || run.decisions.some((decision) => !decision.passed)) return "low";
  // A short run has less evidence.
  if (run.depth === "short") return "medium";
  return run.decisions.some((decision) => decision.findings.length > 0) ? "medium" : "high";
}

/** Returns the reason why the confidence is not high, in one line. */
export function explainConfidence(
  run: Parameters<typeof computeConfidence>[0],
  issues: readonly Finding[],
): string | undefined {
  const missed = run.decisions.filter((decision) => !decision.passed).map(({ gate }) => gate);
  const noted = run.decisions.some((decision) => decision.findings.length > 0);
  const [first] = sortBySeverity(issues);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  const reasons = [
    ...(run.exhausted ? ["the rounds were used up"] : []),
    ...(missed.length > 0 ? [`not passed: ${[...new Set(missed)].join(", ")}`] : []),
    ...(run.depth === "short" ? ["fewer looked, as depth=short asks"] : []),
    ...(first ? [`known and not settled: ${getFirstSentence(first.message)}${more}`] : []),
    ...(!first && noted ? ["reviewers of the design had findings, see evidence-bundle.md"] : []),
  ];
  const confidence = computeConfidence(run);
  return confidence === "high" || reasons.length === 0
    ? undefined
    : `confidence is ${confidence}: ${reasons.join("; ")}`;
}

/** Sorts by severity, because some places show only the first finding. */
export const sortBySeverity = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));

/** Returns the first sentence in one line, without its full stop. */
const getFirstSentence = (message: string): string =>
  (collapseWhitespace(message).split(SENTENCE_END)[0] ?? "").replace(/\.$/, "");
/** Does not match after a single letter, as in "e.g. Linux". */
const SENTENCE_END = /(?<=(?:\p{L}{2}|[\d`'")])[.!?])\s+(?=[\p{Lu}`'"(])/u;

/** Returns a reviewer's findings, or its categories without approval if it listed none. */
export function listObjections(review: ReviewerVerdict): Finding[] {
  const named = review.findings.map((finding): Finding => ({ ...omitCategory(finding), by: review.by }));
  if (named.length > 0) return named;
  const against = Object.entries(review.verdicts).filter(([, verdict]) => verdict !== "approve");
  return against.map(([category, verdict]) => ({
    severity: verdict === "blocker" ? "blocker" : "major",
    message: `${category}: ${verdict}`,
    by: review.by,
  }));
}

/** Returns review findings that were outvoted and never fixed, for the person who decides. */
export function selectOutvoted(issues: readonly Finding[]): readonly Finding[] {
  return issues.filter(({ by = "" }) => by.split(", ").some((each) => PERSPECTIVES.some((known) => known === each)));
}

/** Shortens a review for the planner: approvals and findings. */
export function summarizeReview(review: ReviewerVerdict): unknown {
  const found = listObjections(review).map(({ by: _, ...finding }) => finding);
  return found.length === 0 ? `${review.by} approves` : { by: review.by, findings: found };
}

const omitCategory = ({ category: _, ...finding }: CategorizedFinding): Finding => finding;
