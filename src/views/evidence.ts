import type { Evidence } from "../core/authoring/verbs.ts";
import { wordOf } from "../core/checks/outcome/because.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Taking } from "./taking.ts";

type Recorded = JournalRecord<"evidence.recorded">;
export type EvidenceReport = Omit<Recorded, "v" | "run" | "chain" | "rows" | "type"> & {
  /** Who had a red check run once more, with their note. */
  readonly againBy?: string;
};

/** What an agent said of its own work, and the tree that it left. */
export type ClaimReport = {
  readonly seq: number;
  readonly key: string;
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly round: number;
  readonly attempt: number;
  readonly after: string;
  /** The program that played the role, and its model where one was chosen. */
  readonly by?: string | undefined;
  readonly claim: JournalRecord<"claim.recorded">["claim"];
};

/** One piece of work: what was said of it, beside what the engine saw. */
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
  /** Trees that agents left, by the attempt. */
  const left = new Map<string, { readonly after: string; readonly by?: string | undefined }>();
  const ended = ({ key, value }: JournalRecord<"step.finished">): void => {
    const again = againIn(value);
    if (again === undefined) return;
    const mine = evidence.filter((each) => each.key === key);
    const earlier = evidence.filter((each) => each.key !== key);
    for (const each of mine.filter((run) => isFurther(run, earlier)))
      evidence[evidence.indexOf(each)] = { ...each, againBy: again };
  };
  const taking: Taking = {
    "step.finished": (record, step) => {
      if (step?.verb === "check") ended(record);
    },
    "evidence.recorded": (record) => void evidence.push(seen(record)),
    "claim.recorded": (record) => {
      const tree = left.get(placeOf(record));
      // Only who writes claims something that a check can confirm or deny.
      if (tree) claims.push(claimOf(record, tree));
    },
    "agent.finished": ({ key, attempt, after, by }) => {
      if (after !== undefined) left.set(placeOf({ key, attempt }), { after, by });
    },
  };
  return {
    taking,
    view: (): EvidenceView => ({ evidence, claims }),
  };
}

/** Only what came after the runs that the person was shown. */
function isFurther(run: EvidenceReport, earlier: readonly EvidenceReport[]): boolean {
  const known = earlier.filter(({ check, tree }) => check === run.check && tree === run.tree);
  return known.length > 0 && known.every(({ turn }) => turn < run.turn);
}

function againIn(value: unknown): string | undefined {
  // What the verb returned, recorded.
  const { again } = (value ?? {}) as Pick<Evidence, "again">;
  return again?.ran ? again.by : undefined;
}

const placeOf = ({ key, attempt }: { readonly key: string; readonly attempt: number }): string => `${key}@${attempt}`;

function seen({ v: _v, run: _run, chain: _chain, rows: _rows, type: _type, ...rest }: Recorded): EvidenceReport {
  return rest;
}

function claimOf(
  record: JournalRecord<"claim.recorded">,
  { after, by }: Pick<ClaimReport, "after" | "by">,
): ClaimReport {
  const { seq, key, role, instance, task = "", round, attempt, claim } = record;
  return { seq, key, role, instance, task, round, attempt, after, ...(by === undefined ? {} : { by }), claim };
}

/** By task, in the order in which the tasks are first spoken of; what belongs to no task comes under "". */
export function evidenceByTask({ claims, evidence }: EvidenceView): readonly TaskEvidence[] {
  const tasks = new Set([...claims, ...evidence].sort((a, b) => a.seq - b.seq).map(({ task }) => task));
  const [claimsOf, evidenceOf] = [Map.groupBy(claims, taskOf), Map.groupBy(evidence, taskOf)];
  return [...tasks].map((task) => {
    return { task, claims: claimsOf.get(task) ?? [], evidence: evidenceOf.get(task) ?? [] };
  });
}

const taskOf = ({ task }: { readonly task: string }): string => task;

/** The newest word on each check of each task, and whether it is a bad one. */
export function standingChecks(evidence: readonly EvidenceReport[]): readonly EvidenceReport[] {
  // A command that never ran says it at the start already.
  const after = evidence.filter((each) => each.phase === "after" || each.outcome === "not-run");
  const newest = new Map(after.map(({ task, key }) => [task, key]));
  const standing = [...new Map(after.map((each) => [`${each.task}\n${each.check}`, each])).values()];
  // Where the tests are as they were again, no exam sits on the later work: the earlier one spoke of another.
  return standing.filter(({ check, task, key }) => !isExam(check) || newest.get(task) === key);
}

const isExam = (check: string): boolean => check.startsWith("exam-");

/** What a gate would not let through: red by the work, or never run at all. */
export function isBad(seen: EvidenceReport): boolean {
  return BAD.has(wordOf(seen));
}

const BAD: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);

/** The same command on the same tree runs once, whoever asks: such a result is worth one line. */
export function distinct(evidence: readonly EvidenceReport[]): readonly EvidenceReport[] {
  const place = ({ check, phase, tree, round, turn, digest, halves, command }: EvidenceReport): string =>
    JSON.stringify([check, phase, tree, round, turn, digest, ...(halves ? [command] : [])]);
  const seen = new Set<string>();
  return evidence.filter((each) => {
    const known = seen.has(place(each));
    seen.add(place(each));
    return !known;
  });
}

/** Which of several runs of one check on one tree, and on whose word; nothing of the first. */
export function turnText({ turn, againBy }: Pick<EvidenceReport, "turn" | "againBy">): string {
  if (turn <= 1) return "";
  const which = turn === 2 ? "second run" : turn === 3 ? "third run" : `run ${turn}`;
  return againBy === undefined ? which : `${which}, asked for by ${againBy}`;
}

/** Where one role works on many tasks, the task is its instance's name. */
export function whoOf({ role, instance, task }: Pick<ClaimReport, "role" | "instance" | "task">): string {
  return instance === "" || instance === task ? role : instance;
}
