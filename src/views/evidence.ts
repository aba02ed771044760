import type { Evidence } from "../core/authoring/verbs.ts";
import { getOutcomeWord } from "../core/checks/outcome/explain-check.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { RecordHandlers } from "./record-handlers.ts";

type Recorded = JournalRecord<"evidence.recorded">;
export type EvidenceReport = Omit<Recorded, "v" | "run" | "chain" | "rows" | "type"> & {
  /** The person who requested a re-run of the red check, with their note. */
  readonly againBy?: string;
};

/** An agent's claim about its own work, and the tree it left. */
export type ClaimReport = {
  readonly seq: number;
  readonly key: string;
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly round: number;
  readonly attempt: number;
  readonly after: string;
  /** The agent program that ran as the role, with its model if one was selected. */
  readonly by?: string | undefined;
  readonly claim: JournalRecord<"claim.recorded">["claim"];
};

/** One task: its claims next to the evidence that the engine recorded. */
export type TaskEvidence = {
  readonly task: string;
  readonly claims: readonly ClaimReport[];
  readonly evidence: readonly EvidenceReport[];
};

export type EvidenceView = {
  readonly evidence: readonly EvidenceReport[];
  readonly claims: readonly ClaimReport[];
};

export function createEvidence() {
  const evidence: EvidenceReport[] = [];
  const claims: ClaimReport[] = [];
  /** Trees that agents left, by attempt. */
  const left = new Map<string, { readonly after: string; readonly by?: string | undefined }>();
  const markReruns = ({ key, value }: JournalRecord<"step.finished">): void => {
    const rerunBy = getRerunRequester(value);
    if (rerunBy === undefined) return;
    const mine = evidence.filter((each) => each.key === key);
    const earlier = evidence.filter((each) => each.key !== key);
    for (const each of mine.filter((run) => isRerun(run, earlier)))
      evidence[evidence.indexOf(each)] = { ...each, againBy: rerunBy };
  };
  const taking: RecordHandlers = {
    "step.finished": (record, step) => {
      if (step?.verb === "check") markReruns(record);
    },
    "evidence.recorded": (record) => void evidence.push(toEvidenceReport(record)),
    "claim.recorded": (record) => {
      const tree = left.get(toAttemptKey(record));
      // Keep claims of agents that write. A check cannot confirm or refute other claims.
      if (tree) claims.push(toClaimReport(record, tree));
    },
    "agent.finished": ({ key, attempt, after, by }) => {
      if (after !== undefined) left.set(toAttemptKey({ key, attempt }), { after, by });
    },
  };
  return {
    taking,
    view: (): EvidenceView => ({ evidence, claims }),
  };
}

/** Returns whether the run came after those that the person saw. */
function isRerun(run: EvidenceReport, earlier: readonly EvidenceReport[]): boolean {
  const known = earlier.filter(({ check, tree }) => check === run.check && tree === run.tree);
  return known.length > 0 && known.every(({ turn }) => turn < run.turn);
}

function getRerunRequester(value: unknown): string | undefined {
  // The step's value is what the check verb returned.
  const { again: rerunBy } = (value ?? {}) as Pick<Evidence, "again">;
  return rerunBy?.ran ? rerunBy.by : undefined;
}

const toAttemptKey = ({ key, attempt }: { readonly key: string; readonly attempt: number }): string =>
  `${key}@${attempt}`;

function toEvidenceReport({
  v: _v,
  run: _run,
  chain: _chain,
  rows: _rows,
  type: _type,
  ...rest
}: Recorded): EvidenceReport {
  return rest;
}

function toClaimReport(
  record: JournalRecord<"claim.recorded">,
  { after, by }: Pick<ClaimReport, "after" | "by">,
): ClaimReport {
  const { seq, key, role, instance, task = "", round, attempt, claim } = record;
  return { seq, key, role, instance, task, round, attempt, after, ...(by === undefined ? {} : { by }), claim };
}

/** Groups claims and evidence by task, in order of first mention. Records without a task are grouped under "". */
export function groupEvidenceByTask({ claims, evidence }: EvidenceView): readonly TaskEvidence[] {
  const tasks = new Set([...claims, ...evidence].sort((a, b) => a.seq - b.seq).map(({ task }) => task));
  const [claimsOf, evidenceOf] = [Map.groupBy(claims, getTask), Map.groupBy(evidence, getTask)];
  return [...tasks].map((task) => {
    return { task, claims: claimsOf.get(task) ?? [], evidence: evidenceOf.get(task) ?? [] };
  });
}

const getTask = ({ task }: { readonly task: string }): string => task;

/** Returns the latest result of each check of each task. */
export function selectLatestChecks(evidence: readonly EvidenceReport[]): readonly EvidenceReport[] {
  // A command that could not run is already recorded as not-run on the baseline.
  const after = evidence.filter((each) => each.phase === "after" || each.outcome === "not-run");
  const newest = new Map(after.map(({ task, key }) => [task, key]));
  const standing = [...new Map(after.map((each) => [`${each.task}\n${each.check}`, each])).values()];
  // If the tests are unchanged again, the later work has no exam; an earlier exam result is about other work.
  return standing.filter(({ check, task, key }) => !isExam(check) || newest.get(task) === key);
}

const isExam = (check: string): boolean => check.startsWith("exam-");

/**
 * Returns whether a gate would reject this result: a failure or regression caused by the work, or a check that never
 * ran.
 */
export function isRejectedResult(toEvidenceReport: EvidenceReport): boolean {
  return REJECTED.has(getOutcomeWord(toEvidenceReport));
}

const REJECTED: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);

/** Removes repeated results. The same command on the same tree runs once even if several steps request it. */
export function deduplicateEvidence(evidence: readonly EvidenceReport[]): readonly EvidenceReport[] {
  const place = ({ check, phase, tree, round, turn, digest, halves, command }: EvidenceReport): string =>
    JSON.stringify([check, phase, tree, round, turn, digest, ...(halves ? [command] : [])]);
  const toEvidenceReport = new Set<string>();
  return evidence.filter((each) => {
    const known = toEvidenceReport.has(place(each));
    toEvidenceReport.add(place(each));
    return !known;
  });
}

/** Formats which re-run of a check on the same tree this is, and who asked for it. Empty for the first run. */
export function formatTurn({ turn, againBy }: Pick<EvidenceReport, "turn" | "againBy">): string {
  if (turn <= 1) return "";
  const which = turn === 2 ? "second run" : turn === 3 ? "third run" : `run ${turn}`;
  return againBy === undefined ? which : `${which}, requested by ${againBy}`;
}

/** Returns the role if the instance is named after its task, otherwise the instance. */
export function getClaimant({ role, instance, task }: Pick<ClaimReport, "role" | "instance" | "task">): string {
  return instance === "" || instance === task ? role : instance;
}
