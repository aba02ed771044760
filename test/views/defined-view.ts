import { PREFLIGHT } from "../../src/core/authoring/preflight.ts";
import { isQuotaFailure } from "../../src/core/budget/quota.ts";
import { resolveGatePlace } from "../../src/core/journal/gate-place.ts";
import type { JournalRecord, RecordType } from "../../src/core/journal/record.ts";
import type { Json } from "../../src/core/text/json.ts";
import type { AgentView, AttemptView } from "../../src/views/attempts.ts";
import type { ClaimReport, EvidenceReport } from "../../src/views/evidence.ts";
import type { GateEvaluation } from "../../src/views/gates.ts";
import { decodeStepName, type OwnStep } from "../../src/views/own-steps.ts";
import type { PhaseState, PhaseView } from "../../src/views/phases.ts";
import type { QuestionView } from "../../src/views/questions.ts";
import type { RunView } from "../../src/views/run-view.ts";
import { covered, orchestrationIn } from "./defined-times.ts";

/** Computes a view over the whole journal at once: slow, and simple enough to verify by reading. */
export function definedView(records: readonly JournalRecord[]): Omit<RunView, "resting" | "workedMs"> {
  const started = only(records, "run.started")[0];
  const last = records.at(-1);
  const end = last?.type === "run.finished" || last?.type === "run.suspended" ? last : undefined;
  return {
    run: last?.run ?? "",
    ...findBeginning(started),
    head: { seq: last?.seq ?? 0, chain: last?.chain ?? "" },
    lastAt: last?.ts ?? 0,
    end,
    status: end?.status ?? "running",
    phases: listPhases(records, end?.type === "run.finished"),
    attempts: listAttempts(records),
    agents: listRunningAgents(records),
    failed: listAttempts(records)
      .filter(({ finished }) => finished?.failure)
      .sort((a, b) => (a.finished?.seq ?? 0) - (b.finished?.seq ?? 0)),
    gates: listGates(records),
    lastGate: listGates(records).findLast(({ key }) => key === only(records, "gate.evaluated").at(-1)?.key),
    evidence: listEvidence(records),
    claims: listClaims(records),
    questions: listQuestions(records),
    orchestrationMs: orchestrationIn(records),
    lastAction: describeLastAction(records),
    open: openApprovals(records),
    notes: listNotes(records),
    retries: countRetries(records),
    spent: sumSpent(records),
    limits: Object.assign({}, started?.limits, ...only(records, "run.resumed").map((record) => record.limits)),
    commits: listCommits(records),
    newestTree: findNewestTree(records),
    uncommitted: findNewestTree(
      records.filter(({ seq }) => seq > (listResults(records, "commit").at(-1)?.seq ?? 0)),
      records,
    ),
    ownSteps: listOwnSteps(records),
    checking: findRunningChecks(records, end?.type === "run.finished"),
    caveats: end?.type === "run.finished" ? (end.caveats ?? []) : [],
  };
}

function findBeginning(started: JournalRecord<"run.started"> | undefined) {
  return {
    pipeline: started?.pipeline ?? "",
    version: started?.version ?? 0,
    approvals: started?.approvals ?? "",
    // The schema has its own name for the same type.
    input: (started?.input ?? null) as Json,
    commands: started?.commands ?? [],
    base: started?.base ?? { commit: "", tree: "" },
    startedAt: started?.ts ?? 0,
    ...(started?.exempt === undefined ? {} : { exempt: started.exempt }),
    ...(started?.setup ? { setup: started.setup } : {}),
  };
}

/** Lists unanswered questions. A finished run has none: its open ones no longer matter. */
function openApprovals(records: readonly JournalRecord[]): JournalRecord<"approval.requested">[] {
  if (records.at(-1)?.type === "run.finished") return [];
  const decided = new Set(only(records, "approval.decided").map((record) => record.approval));
  return only(records, "approval.requested").filter((record) => !decided.has(record.approval));
}

function only<T extends RecordType>(records: readonly JournalRecord[], type: T): JournalRecord<T>[] {
  return records.filter((record): record is JournalRecord<T> => record.type === type);
}

function listPhases(records: readonly JournalRecord[], finished: boolean): PhaseView[] {
  const declared = only(records, "run.started")[0]?.phases ?? [];
  const skipped = new Map(only(records, "phase.skipped").map((record) => [record.title, record.reason]));
  const steps = only(records, "step.started");
  const ended = new Map(only(records, "step.finished").map((step) => [step.key, step.ts]));
  const visited = steps.map((step) => step.phase);
  const now = records.at(-1)?.ts ?? 0;
  return [...new Set([...visited.filter((title) => title === PREFLIGHT), ...declared, ...visited])].map((title) => {
    const mine = steps.filter((step) => step.phase === title);
    const keys = new Set(mine.map((step) => step.key));
    const isMine = ({ key }: { readonly key: string }): boolean => keys.has(key);
    const open = mine.some((step) => !ended.has(step.key));
    const failed = findFailedPhases(records).get(title);
    const state = ((): PhaseState => {
      if (mine.length > 0 && !finished && (open || visited.at(-1) === title)) return "current";
      if (mine.length > 0) return failed === undefined ? "done" : "failed";
      return skipped.has(title) ? "skipped" : "not started";
    })();
    return {
      title,
      state,
      reason: state === "failed" ? failed : mine.length > 0 ? undefined : skipped.get(title),
      failed,
      open,
      startedAt: mine[0]?.ts,
      ms: covered(mine.map((step) => ({ from: step.ts, to: ended.get(step.key) ?? now }))),
      attempts: only(records, "agent.started").filter(isMine).length,
      retries: only(records, "agent.retried").filter(isMine).length,
    };
  });
}

/** Returns the phase in which the run failed, and phases in which agents were asked and none delivered. */
function findFailedPhases(records: readonly JournalRecord[]): ReadonlyMap<string, string> {
  const steps = only(records, "step.started");
  const phaseOf = new Map(steps.map(({ key, phase }) => [key, phase]));
  const asked = only(records, "agent.finished").map(({ key, outcome }) => ({ phase: phaseOf.get(key) ?? "", outcome }));
  const delivered = new Set(asked.filter(({ outcome }) => outcome === "done").map(({ phase }) => phase));
  const silent = asked.filter(({ phase }) => !delivered.has(phase));
  const failed = new Map(silent.map(({ phase }) => [phase, "no agent delivered"]));
  const [last, latest] = [records.at(-1), steps.at(-1)?.phase];
  const bad = last?.type === "run.finished" && (last.status !== "done" || listCommits(records).length === 0);
  const missed = new Map(listGates(records).map((seen) => [`${seen.phase}\n${resolveGatePlace(seen)}`, seen]));
  for (const { gate, phase, rules } of bad ? [...missed.values()] : []) {
    if (rules.some((rule) => !rule.passed) && !failed.has(phase)) failed.set(phase, `gate ${gate} did not pass`);
  }
  const brokeOff = last?.type === "run.finished" && last.status !== "done" && latest !== undefined;
  return brokeOff ? failed.set(latest, "the run ended here") : failed;
}

function listRunningAgents(records: readonly JournalRecord[]): AgentView[] {
  const ended = new Set(only(records, "agent.finished").map((record) => `${record.key}@${record.attempt}`));
  return only(records, "agent.started")
    .filter((record) => !ended.has(`${record.key}@${record.attempt}`))
    .map(({ role, instance, task, attempt, continues, ts, effect }) => {
      const again = continues === undefined ? {} : { continues: true as const };
      return { role, instance, ...(task === undefined ? {} : { task }), attempt, ...again, startedAt: ts, effect };
    });
}

function listAttempts(records: readonly JournalRecord[]): AttemptView[] {
  const ends = new Map(only(records, "agent.finished").map((record) => [formatLocation(record), record]));
  const phases = mapPhases(records);
  const retried = new Set(only(records, "agent.retried").map(({ key, attempt }) => `${key}@${attempt - 1}`));
  return only(records, "agent.started").map((started) => {
    const finished = ends.get(formatLocation(started));
    const again = finished?.failure && retried.has(formatLocation(started)) ? { retried: true as const } : {};
    return { started, phase: phases.get(started.key) ?? "", ...(finished ? { finished } : {}), ...again };
  });
}

const formatLocation = ({ key, attempt }: { readonly key: string; readonly attempt: number }): string =>
  `${key}@${attempt}`;

const mapPhases = (records: readonly JournalRecord[]): ReadonlyMap<string, string> =>
  new Map(only(records, "step.started").map((step) => [step.key, step.phase]));

function listGates(records: readonly JournalRecord[]): GateEvaluation[] {
  const ends = new Map(only(records, "step.finished").map((step) => [step.key, step.value]));
  return [...Map.groupBy(only(records, "gate.evaluated"), ({ key }) => key)].map(([key, evaluated]) => {
    const { gate = "", ts: at = 0, tree, place } = evaluated.at(-1) ?? {};
    const rules = evaluated.map(({ seq, rule, passed, actual, need, params }) => {
      return { seq, rule, passed, actual, need, params };
    });
    return { key, phase: mapPhases(records).get(key) ?? "", gate, at, tree, place, rules, value: ends.get(key) };
  });
}

function listEvidence(records: readonly JournalRecord[]): readonly EvidenceReport[] {
  return only(records, "evidence.recorded").map((record) => {
    const { v: _v, run: _run, chain: _chain, rows: _rows, type: _type, ...seen } = record;
    const againBy = findRepeatRequester(records, record);
    return againBy === undefined ? seen : { ...seen, againBy };
  });
}

/** Returns who requested a repeated check. Undefined unless its turn is later than every earlier one on that tree. */
function findRepeatRequester(
  records: readonly JournalRecord[],
  run: JournalRecord<"evidence.recorded">,
): string | undefined {
  const value = only(records, "step.finished").find(({ key }) => key === run.key)?.value;
  // The recorded result of check().
  const { again } = (value ?? {}) as { readonly again?: { readonly by: string; readonly ran: boolean } };
  const before = only(records, "evidence.recorded").filter(
    ({ key, seq, check, tree }) => key !== run.key && seq < run.seq && check === run.check && tree === run.tree,
  );
  const further = before.length > 0 && run.turn > Math.max(...before.map(({ turn }) => turn));
  return again?.ran && further ? again.by : undefined;
}

/** Lists claims of writing roles only: no other claim can be confirmed or denied by a check. */
function listClaims(records: readonly JournalRecord[]): readonly ClaimReport[] {
  const ends = new Map(only(records, "agent.finished").map((record) => [formatLocation(record), record]));
  return only(records, "claim.recorded").flatMap((record) => {
    const { after, by } = ends.get(formatLocation(record)) ?? {};
    if (after === undefined) return [];
    const { seq, key, role, instance, task = "", round, attempt, claim } = record;
    return [{ seq, key, role, instance, task, round, attempt, after, ...(by === undefined ? {} : { by }), claim }];
  });
}

function listQuestions(records: readonly JournalRecord[]): readonly QuestionView[] {
  const decided = new Map(only(records, "approval.decided").map((record) => [record.approval, record]));
  return only(records, "approval.requested").map((asked) => {
    const answer = decided.get(asked.approval);
    return answer ? { asked, answer } : { asked };
  });
}

function describeLastAction(records: readonly JournalRecord[]): string {
  const step = only(records, "step.finished").at(-1);
  return step ? step.key : "";
}

function listNotes(records: readonly JournalRecord[]): Record<string, Json> {
  const keys = new Set(
    only(records, "step.started")
      .filter((step) => step.verb === "note")
      .map((step) => step.key),
  );
  const notes: Record<string, Json> = {};
  for (const { key, value } of only(records, "step.finished")) {
    // The value of a note is its data.
    if (keys.has(key) && typeof value === "object" && value !== null) Object.assign(notes, value);
  }
  return notes;
}

function countRetries(records: readonly JournalRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { because } of only(records, "agent.retried")) {
    const kind = isQuotaFailure(because) ? "usage window" : because.class;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function sumSpent(records: readonly JournalRecord[]): RunView["spent"] {
  const finished = only(records, "agent.finished");
  const sum = (of: (record: JournalRecord<"agent.finished">) => number | undefined): number =>
    finished.reduce((total, record) => total + (of(record) ?? 0), 0);
  return {
    attempts: only(records, "agent.started").length,
    retries: only(records, "agent.retried").length,
    interruptions: finished.filter((record) => record.outcome === "interrupted" && !record.orderly).length,
    usd: sum((record) => record.usage?.usd),
    usdUnknown: finished.filter((record) => record.usage?.usd === undefined).length,
    inputTokens: sum((record) => record.usage?.inputTokens),
    outputTokens: sum((record) => record.usage?.outputTokens),
  };
}

/** Returns the recorded results of a verb's steps. */
function listResults(records: readonly JournalRecord[], verb: string): readonly { seq: number; value?: unknown }[] {
  const steps = only(records, "step.started").filter((step) => step.verb === verb);
  const keys = new Set(steps.map((step) => step.key));
  return only(records, "step.finished").filter((step) => keys.has(step.key) && step.value !== undefined);
}

function listCommits(records: readonly JournalRecord[]): RunView["commits"] {
  return listResults(records, "commit").map(({ value }) => value as RunView["commits"][number]);
}

/** Searches these records; the kinds of steps come from all records. */
function findNewestTree(
  records: readonly JournalRecord[],
  all: readonly JournalRecord[] = records,
): RunView["newestTree"] {
  const seqs = new Set(records.map(({ seq }) => seq));
  const left = only(records, "agent.finished").flatMap(({ seq, after, instance, role }) =>
    after ? [{ seq, tree: { tree: after, by: instance || role } }] : [],
  );
  const merged = listResults(all, "merge").flatMap(({ seq, value }) => {
    const { clean, tree } = value as { clean?: boolean; tree?: { tree: string } };
    return clean && tree && seqs.has(seq) ? [{ seq, tree: { tree: tree.tree } }] : [];
  });
  return [...left, ...merged].sort((a, b) => a.seq - b.seq).at(-1)?.tree;
}

function findRunningChecks(records: readonly JournalRecord[], finished: boolean): RunView["checking"] {
  const begun = only(records, "step.started").filter(({ verb }) => verb === "check");
  const ended = new Set(only(records, "step.finished").map(({ key }) => key));
  const open = begun.filter(({ key }) => !finished && !ended.has(key));
  return open.map(({ key, phase, ts: since }) => ({ key, phase, since }));
}

function listOwnSteps(records: readonly JournalRecord[]): readonly OwnStep[] {
  const begun = only(records, "step.started").filter(({ verb }) => verb === "act");
  return begun.map(({ key, phase, ts: startedAt }) => {
    const end = only(records, "step.finished").find((each) => each.key === key);
    const step = { key, name: decodeStepName(key), phase, startedAt };
    if (!end) return step;
    const { ts: endedAt, value, failure } = end;
    return { ...step, endedAt, ...(value === undefined ? {} : { claim: value }), ...(failure ? { failure } : {}) };
  });
}
