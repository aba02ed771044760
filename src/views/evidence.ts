import { wordOf } from "../../core/evidence/because.ts";
import type { JournalRecord } from "../../core/record.ts";
import { only } from "./records.ts";

export type EvidenceSeen = Omit<JournalRecord<"evidence.recorded">, "v" | "run" | "chain" | "rows" | "type">;

/** What an agent said of its own work, and the tree that it left. */
export type ClaimSeen = {
  readonly seq: number;
  readonly key: string;
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly round: number;
  readonly attempt: number;
  readonly after: string;
  /** The program that played the role, and its model where one was chosen. */
  readonly by?: string;
  readonly claim: JournalRecord<"claim.recorded">["claim"];
};

/** One piece of work: what was said of it, beside what the engine saw. */
export type TaskEvidence = {
  readonly task: string;
  readonly claims: readonly ClaimSeen[];
  readonly evidence: readonly EvidenceSeen[];
};

export function evidenceIn(records: readonly JournalRecord[]): readonly EvidenceSeen[] {
  return only(records, "evidence.recorded").map(
    ({ v: _v, run: _run, chain: _chain, rows: _rows, type: _type, ...seen }) => seen,
  );
}

/** Only who writes claims something that a check can confirm or deny. */
export function claimsIn(records: readonly JournalRecord[]): readonly ClaimSeen[] {
  const place = (record: { key: string; attempt: number }): string => `${record.key}@${record.attempt}`;
  const ends = new Map(only(records, "agent.finished").map((record) => [place(record), record]));
  return only(records, "claim.recorded").flatMap((record) => {
    const { after, by } = ends.get(place(record)) ?? {};
    if (after === undefined) return [];
    const { seq, key, role, instance, task = "", round, attempt, claim } = record;
    return [{ seq, key, role, instance, task, round, attempt, after, ...(by === undefined ? {} : { by }), claim }];
  });
}

/** By task, in the order in which the tasks are first spoken of; what belongs to no task comes under "". */
export function evidenceByTask(records: readonly JournalRecord[]): readonly TaskEvidence[] {
  const [claims, evidence] = [claimsIn(records), evidenceIn(records)];
  const tasks = new Set([...claims, ...evidence].sort((a, b) => a.seq - b.seq).map(({ task }) => task));
  const [claimsOf, evidenceOf] = [Map.groupBy(claims, taskOf), Map.groupBy(evidence, taskOf)];
  return [...tasks].map((task) => {
    return { task, claims: claimsOf.get(task) ?? [], evidence: evidenceOf.get(task) ?? [] };
  });
}

const taskOf = ({ task }: { readonly task: string }): string => task;

/** The newest word on each check of each task, and whether it is a bad one. */
export function standingChecks(evidence: readonly EvidenceSeen[]): readonly EvidenceSeen[] {
  // A command that never ran says it at the start already.
  const after = evidence.filter((each) => each.phase === "after" || each.outcome === "not-run");
  return [...new Map(after.map((each) => [`${each.task}\n${each.check}`, each])).values()];
}

/** What a gate would not let through: red by the work, or never run at all. */
export function isBad(seen: EvidenceSeen): boolean {
  return BAD.has(wordOf(seen));
}

const BAD: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);

/** The same command on the same tree runs once, whoever asks: such a result is worth one line. */
export function distinct(evidence: readonly EvidenceSeen[]): readonly EvidenceSeen[] {
  const place = ({ check, phase, tree, round, turn, digest }: EvidenceSeen): string =>
    JSON.stringify([check, phase, tree, round, turn, digest]);
  const seen = new Set<string>();
  return evidence.filter((each) => {
    const known = seen.has(place(each));
    seen.add(place(each));
    return !known;
  });
}

/** Where one role works on many tasks, the task is its instance's name. */
export function whoOf({ role, instance, task }: Pick<ClaimSeen, "role" | "instance" | "task">): string {
  return instance === "" || instance === task ? role : instance;
}
