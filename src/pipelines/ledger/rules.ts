import type { Decision } from "../../core/authoring/decision.ts";
import { type Finding, SEVERITIES } from "../../core/authoring/finding.ts";
import { sqlRule, valueRule } from "../../core/authoring/rule.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { oneLine } from "../commit-text.ts";
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
  because: "a task needs a baseline, measured before it was worked on",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks a
WHERE ${OF_TASK} AND a.phase = 'baseline' AND a.round = 0`,
  need: ":baselines",
});

/**
 * A check that was red before and still is counts neither way; any other red check, and one that could not be run,
 * spoils the round. The engine's own checks count only beside commands of the project that are green: they say that
 * nothing was bent, not that anything works.
 * @rule L-53 (gate) The engine's own checks count beside a green command of the project; a project without any is
 *   stopped first, and checks that a plan lacks are asked about.
 */
export const EG_2 = sqlRule({
  id: "EG-2",
  because:
    "enough different checks must pass after the change, a command of the project among them, and none may get worse",
  sql: `SELECT CASE WHEN SUM(CASE WHEN a.passed = 0 AND NOT EXISTS (
    SELECT 1 FROM anvil_checks b WHERE b.run_id = a.run_id AND b.task_id = a.task_id
    AND b.phase = 'baseline' AND b.check_name = a.check_name AND b.passed = 0) THEN 1 ELSE 0 END) > 0
  THEN 0 WHEN COUNT(DISTINCT CASE WHEN a.passed = 1 AND a.check_name NOT IN ('scope', 'tamper', 'parses')
    THEN a.check_name END) < :green
  THEN 0 ELSE CAST(COUNT(DISTINCT CASE WHEN a.passed = 1 THEN a.check_name END) AS INTEGER) END AS actual
FROM anvil_checks a WHERE ${OF_TASK} AND a.phase = 'after' AND a.round = :round`,
  need: ":need",
});

/** @rule L-40 (gate) A review that is not complete after the retries is an error, never a revision. */
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

/** @rule L-09 (gate) A verdict that is missing approves nothing. */
export const EG_6 = sqlRule({
  id: "EG-6",
  because: `${MAJORITY} of ${REVIEWERS} reviewers must approve in every category`,
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM (
  SELECT a.instance FROM anvil_checks a WHERE ${OF_SCOPE} GROUP BY a.instance
  HAVING COUNT(DISTINCT CASE WHEN a.verdict = 'approve' THEN a.check_name END) = ${CATEGORIES.length}
  AND COUNT(CASE WHEN a.verdict IS NULL OR a.verdict <> 'approve' THEN 1 END) = 0) AS approving`,
  need: MAJORITY,
});

/** @rule L-10 (gate) Too few approvals, or one security objection, send the design back once; all three look again. */
const SECURITY_DISSENT = sqlRule({
  id: "L-10",
  because: "nobody may ask for a revision in the security category",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks a
WHERE ${OF_ROUND} AND a.check_name = 'review-' || :scope || '-security' AND a.verdict = 'needs_revision'`,
  need: 0,
  compare: "exactly",
});

/**
 * Hands what the reviewers found to the next round; who calls a finding a blocker has blocked, whatever the verdict.
 * @rule L-11 (gate) One blocker of any reviewer ends the run at once.
 */
const HEARD = valueRule({
  id: "L-11",
  because: "no reviewer may report a blocker",
  judge: ({ reviews }: { reviews: readonly ReviewerVerdict[] }) => {
    const findings = reviews.flatMap(objections);
    const blocked = findings.some((finding) => finding.severity === "blocker");
    return { passed: !blocked, blocked, findings };
  },
});

export type ReviewerVerdict = Pick<Verdict, "verdicts" | "findings"> & { readonly by: string };

/**
 * @rule L-08 (gate) A review is decided by SQL over this run, task and round: all submitted, all categories, no
 *   blocker, two full approvals.
 */
export const REVIEW = [EG_3, EG_5, EG_4, EG_6, SECURITY_DISSENT, HEARD] as const;

/**
 * @rule L-02 (gate) Step 0 looks at the checkout, has the request weighed and lists what is there, before anybody
 *   researches; a blocking concern ends the run in either mode.
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

/** What a check of a tree says about the change that led to it. */
type CheckEvidence = Pick<Evidence, "regressions" | "tamper" | "findings">;
const worse = ({ regressions, tamper }: CheckEvidence): readonly Finding[] => [...regressions, ...tamper];

/**
 * A finding above minor sends the task back, whatever the status beside it.
 * @rule L-41 (gate) Each finished task has a verifier; it can send work back, but not pass what a gate refuses.
 */
const VERIFIED = valueRule({
  id: "L-41",
  because: "the verifier must have nothing to send back, no check may have got worse and none been weakened",
  judge: ({ said, evidence }: { said: VerifierReport; evidence: CheckEvidence }) => ({
    passed: said.status === "DONE" && said.findings.every(isMinor) && worse(evidence).length === 0,
    findings: [...worse(evidence), ...evidence.findings, ...said.findings.map(plainFinding)],
  }),
});
const isMinor = ({ severity }: CategorizedFinding): boolean => severity === "minor";
type VerifierReport = { readonly status: string; readonly findings: readonly CategorizedFinding[] };

/** Green checks on a tree that nobody touched prove nothing about the task; work beside it was not taken. */
const WORK_LEFT = valueRule({
  id: "A-30",
  because: "a task must leave something behind, on top of what it found",
  judge: ({ tree, left }: { tree: string; left: TreeChanges }) => {
    const outside = left.outside.map(
      (path): Finding => ({
        severity: "minor",
        message: `${path} lies outside the task's files and was not taken`,
        files: [path],
      }),
    );
    if (left.changed.length > 0 && !left.before.includes(tree)) return { passed: true, findings: outside };
    return { passed: false, findings: [{ severity: "major", message: "nothing was changed" }, ...outside] };
  },
});

type TreeChanges = {
  /** The trees that the work and its task started from. */
  readonly before: readonly string[];
  /** What the agent changed there, as the engine saw it. */
  readonly changed: readonly string[];
  readonly outside: readonly string[];
};

/**
 * @rule L-16 (gate) A task counts with a baseline and enough different green checks of this round, three where it is
 *   large or red, and no red one.
 */
export const VERIFY = [EG_1, EG_2, VERIFIED, WORK_LEFT] as const;

/** @rule L-43 (gate) Before code review every check runs once on everything together; a red one is below threshold. */
export const INTEGRATED = valueRule({
  id: "L-43",
  because: "every check must hold on the integrated tree, and no task may be left below its threshold",
  judge: ({
    whole,
    findings,
  }: {
    whole: CheckEvidence & Pick<Evidence, "passed" | "checks">;
    findings: readonly Finding[];
  }) => ({
    passed: whole.passed && findings.length === 0 && worse(whole).length === 0,
    findings: [...findings, ...worse(whole), ...whole.findings, ...whole.checks.flatMap(redBefore)],
  }),
});

/** Counts neither way, but whoever reads the result should know that it rests on the other checks. */
function redBefore({ name, outcome }: Evidence["checks"][number]): Finding[] {
  return outcome === "red-before" ? [{ severity: "minor", message: `${name} was red before and still is` }] : [];
}

const RULE_IDS: ReadonlySet<string> = new Set([...REVIEW, ...VERIFY, INTEGRATED].map(({ id }) => id));

/** What is wrong with the work; that a gate was missed because of it is for people, and nothing that work can mend. */
export function defectsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ by }) => by === undefined || !RULE_IDS.has(by));
}

/** How many different checks a task must pass. */
export const checksNeeded = (task: Pick<Task, "size" | "risk">): number =>
  task.size === "Large" || task.risk === "🔴" ? 3 : 2;

/**
 * What the gates may ask of the project's commands. Where a person let the run begin without any, there is nothing to
 * measure; and one that is red only in tests that failed before has shown as much as a green one.
 */
export function commandsNeeded(commands: readonly string[], { checks }: Pick<Evidence, "checks">) {
  const configured = commands.length > 0 ? 1 : 0;
  const shown = checks.some(({ outcome, proves }) => outcome === "red-before" && proves === true);
  return { baselines: configured, green: shown ? 0 : configured };
}

export type Confidence = "high" | "medium" | "low";

export function confidenceOf(run: { exhausted: boolean; decisions: readonly Decision[]; depth?: Depth }): Confidence {
  if (run.exhausted || run.decisions.some((decision) => !decision.passed)) return "low";
  // Whoever looked less has seen less.
  if (run.depth === "short") return "medium";
  return run.decisions.some((decision) => decision.findings.length > 0) ? "medium" : "high";
}

/** Why it is no higher, in one line; nothing where there is nothing above it. */
export function confidenceBecause(
  run: Parameters<typeof confidenceOf>[0],
  issues: readonly Finding[],
): string | undefined {
  const missed = run.decisions.filter((decision) => !decision.passed).map(({ gate }) => gate);
  const noted = run.decisions.some((decision) => decision.findings.length > 0);
  const [first] = gravestFirst(issues);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  const reasons = [
    ...(run.exhausted ? ["the rounds were used up"] : []),
    ...(missed.length > 0 ? [`not passed: ${[...new Set(missed)].join(", ")}`] : []),
    ...(run.depth === "short" ? ["fewer looked, as depth=short asks"] : []),
    ...(first ? [`known and not settled: ${sentenceOf(first.message)}${more}`] : []),
    ...(!first && noted ? ["reviewers of the design had findings, see evidence-bundle.md"] : []),
  ];
  const confidence = confidenceOf(run);
  return confidence === "high" || reasons.length === 0
    ? undefined
    : `confidence is ${confidence}: ${reasons.join("; ")}`;
}

/** What matters most is read first, and is what is left where only one is told. */
export const gravestFirst = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));

/** Whoever wrote it broke its lines anywhere: the first sentence whole, in one line and without its full stop. */
const sentenceOf = (message: string): string => (oneLine(message).split(SENTENCE_END)[0] ?? "").replace(/\.$/, "");
/** Not behind a single letter: "e.g. Linux" goes on. */
const SENTENCE_END = /(?<=(?:\p{L}{2}|[\d`'")])[.!?])\s+(?=[\p{Lu}`'"(])/u;

/** What a reviewer wants changed: its findings, or the categories that it does not approve. */
export function objections(review: ReviewerVerdict): Finding[] {
  const named = review.findings.map((finding): Finding => ({ ...plainFinding(finding), by: review.by }));
  if (named.length > 0) return named;
  const against = Object.entries(review.verdicts).filter(([, verdict]) => verdict !== "approve");
  return against.map(([category, verdict]) => ({
    severity: verdict === "blocker" ? "blocker" : "major",
    message: `${category}: ${verdict}`,
    by: review.by,
  }));
}

/** What reviewers found although enough others approved: nobody mended it, so whoever decides is told. */
export function outvotedIn(issues: readonly Finding[]): readonly Finding[] {
  return issues.filter(({ by = "" }) => by.split(", ").some((each) => PERSPECTIVES.some((known) => known === each)));
}

/** A review for those who work on: who approves, and what was found all the same. */
export function opinionOf(review: ReviewerVerdict): unknown {
  const found = objections(review).map(({ by: _, ...finding }) => finding);
  return found.length === 0 ? `${review.by} approves` : { by: review.by, findings: found };
}

const plainFinding = ({ category: _, ...finding }: CategorizedFinding): Finding => finding;
