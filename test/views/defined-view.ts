import type { Json } from "../../src/core/json.ts";
import { PREFLIGHT } from "../../src/core/preflight.ts";
import type { FactType, JournalRecord } from "../../src/core/record.ts";
import { isUsedUp } from "../../src/core/usage-window.ts";
import type { AgentView, ErrorView } from "../../src/surfaces/terminal/dispatch-view.ts";
import type { PhaseState, PhaseView } from "../../src/surfaces/terminal/phase-view.ts";
import type { RunView } from "../../src/surfaces/terminal/run-view.ts";

/** What a view says, defined over the whole journal at once: slow, and plain to see that it is right. */
export function definedView(
  records: readonly JournalRecord[],
  titles: readonly string[],
): Omit<RunView, "resting" | "orchestrationMs"> {
  const started = only(records, "run.started")[0];
  const last = records.at(-1);
  const end = last?.type === "run.finished" || last?.type === "run.suspended" ? last : undefined;
  return {
    run: last?.run ?? "",
    pipeline: started?.pipeline ?? "",
    version: started?.version ?? 0,
    approvals: started?.approvals ?? "",
    startedAt: started?.ts ?? 0,
    lastAt: last?.ts ?? 0,
    end,
    phases: phasesIn(records, titles, end?.type === "run.finished"),
    agents: agentsAtWork(records),
    lastGate: lastGate(records),
    lastAction: lastAction(records),
    open: openApprovals(records),
    notes: notesIn(records),
    errors: errorsIn(records),
    retries: retriesIn(records),
    spent: spentIn(records),
    limits: Object.assign({}, started?.limits, ...only(records, "run.resumed").map((record) => record.limits)),
    commit: commitIn(records),
    caveats: end?.type === "run.finished" ? (end.caveats ?? []) : [],
    ...(started?.exempt === undefined ? {} : { exempt: started.exempt }),
  };
}

/** Questions that nobody has answered. A finished run has none: its open ones no longer matter. */
function openApprovals(records: readonly JournalRecord[]): JournalRecord<"approval.requested">[] {
  if (records.at(-1)?.type === "run.finished") return [];
  const decided = new Set(only(records, "approval.decided").map((record) => record.approval));
  return only(records, "approval.requested").filter((record) => !decided.has(record.approval));
}

function only<T extends FactType>(records: readonly JournalRecord[], type: T): JournalRecord<T>[] {
  return records.filter((record): record is JournalRecord<T> => record.type === type);
}

function phasesIn(records: readonly JournalRecord[], titles: readonly string[], finished: boolean): PhaseView[] {
  const skipped = new Map(only(records, "phase.skipped").map((record) => [record.title, record.reason]));
  const steps = only(records, "step.started");
  const ended = new Set(only(records, "step.finished").map((record) => record.key));
  const visited = new Set(steps.map((step) => step.phase));
  const open = new Set(steps.filter((step) => !ended.has(step.key)).map((step) => step.phase));
  const latest = steps.at(-1)?.phase;
  const failed = failedIn(records);
  const stateOf = (title: string): PhaseState => {
    if (visited.has(title) && !finished && (open.has(title) || latest === title)) return "current";
    if (visited.has(title)) return failed.has(title) ? "failed" : "done";
    return skipped.has(title) ? "skipped" : "not started";
  };
  // No pipeline declares it, and it comes before all that one does.
  const first = visited.has(PREFLIGHT) && !titles.includes(PREFLIGHT) ? [PREFLIGHT] : [];
  return [...first, ...titles].map((title) => {
    const state = stateOf(title);
    const reason = state === "failed" ? failed.get(title) : visited.has(title) ? undefined : skipped.get(title);
    return { title, state, ...(reason === undefined ? {} : { reason }) };
  });
}

/** The phase that the run broke off in, and those in which agents were asked and none delivered. */
function failedIn(records: readonly JournalRecord[]): ReadonlyMap<string, string> {
  const steps = only(records, "step.started");
  const phaseOf = new Map(steps.map(({ key, phase }) => [key, phase]));
  const asked = only(records, "agent.finished").map(({ key, outcome }) => ({ phase: phaseOf.get(key) ?? "", outcome }));
  const delivered = new Set(asked.filter(({ outcome }) => outcome === "done").map(({ phase }) => phase));
  const silent = asked.filter(({ phase }) => !delivered.has(phase));
  const failed = new Map(silent.map(({ phase }) => [phase, "nobody delivered"]));
  const [last, latest] = [records.at(-1), steps.at(-1)?.phase];
  const brokeOff = last?.type === "run.finished" && last.status === "error" && latest !== undefined;
  return brokeOff ? failed.set(latest, "the run ended here") : failed;
}

function agentsAtWork(records: readonly JournalRecord[]): AgentView[] {
  const ended = new Set(only(records, "agent.finished").map((record) => `${record.key}@${record.attempt}`));
  return only(records, "agent.started")
    .filter((record) => !ended.has(`${record.key}@${record.attempt}`))
    .map(({ role, instance, task, attempt, continues, ts, effect }) => {
      const again = continues === undefined ? {} : { continues: true as const };
      return { role, instance, ...(task === undefined ? {} : { task }), attempt, ...again, startedAt: ts, effect };
    });
}

function lastGate(records: readonly JournalRecord[]): RunView["lastGate"] {
  const evaluated = only(records, "gate.evaluated");
  const last = evaluated.at(-1);
  if (!last) return undefined;
  const rules = evaluated
    .filter((record) => record.key === last.key)
    .map(({ rule, passed, actual, need }) => ({ rule, passed, actual, need }));
  return { gate: last.gate, passed: rules.every((rule) => rule.passed), rules };
}

function lastAction(records: readonly JournalRecord[]): string {
  const step = only(records, "step.finished").at(-1);
  return step ? step.key : "";
}

function notesIn(records: readonly JournalRecord[]): Record<string, Json> {
  const keys = new Set(
    only(records, "step.started")
      .filter((step) => step.verb === "note")
      .map((step) => step.key),
  );
  const notes: Record<string, Json> = {};
  for (const { key, value } of only(records, "step.finished")) {
    // A note's value is the facts it was given.
    if (keys.has(key) && typeof value === "object" && value !== null) Object.assign(notes, value);
  }
  return notes;
}

function errorsIn(records: readonly JournalRecord[]): ErrorView[] {
  const retried = new Set(only(records, "agent.retried").map((record) => `${record.key}@${record.attempt - 1}`));
  return only(records, "agent.finished").flatMap((record) => {
    if (!record.failure) return [];
    const { message, class: kind } = record.failure;
    const again = retried.has(`${record.key}@${record.attempt}`);
    return [{ step: record.key, agent: record.instance || record.role, error: message, class: kind, retried: again }];
  });
}

function retriesIn(records: readonly JournalRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { because } of only(records, "agent.retried")) {
    const kind = isUsedUp(because) ? "usage window" : because.class;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function spentIn(records: readonly JournalRecord[]): RunView["spent"] {
  const finished = only(records, "agent.finished");
  return {
    dispatches: only(records, "agent.started").length,
    usd: finished.reduce((sum, record) => sum + (record.usage?.usd ?? 0), 0),
    usdUnknown: finished.filter((record) => record.usage?.usd === undefined).length,
  };
}

function commitIn(records: readonly JournalRecord[]): RunView["commit"] {
  const keys = new Set(
    only(records, "step.started")
      .filter((step) => step.verb === "commit")
      .map((step) => step.key),
  );
  const made = only(records, "step.finished").findLast((step) => keys.has(step.key) && step.value !== undefined);
  // What the verb returned, recorded.
  return made?.value as RunView["commit"];
}
