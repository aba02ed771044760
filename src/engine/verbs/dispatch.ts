import type { Answer, DispatchOptions, Verbs } from "../../core/authoring/verbs.ts";
import { isQuotaFailure } from "../../core/budget/quota.ts";
import { type Failure, removeLastMessage } from "../../core/failure/failure.ts";
import type { AttemptResult } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { toStored } from "../../core/text/json.ts";
import { scopes } from "../replay/scope.ts";
import { runGuarded, runStep, type StepEnd, type StepPlace } from "../replay/step.ts";
import { createNever, type Run, StepFailed } from "../run.ts";
import { acquireAll } from "../semaphore.ts";
import { decideAfterFailure, type FailedAttempt, type HoldReason } from "./after-failure.ts";
import { type AttemptHistory, readAttemptHistory, toInterruption } from "./attempt-history.ts";
import {
  type AnyRole,
  createAttemptEffect,
  type DispatchRequest,
  formatEffectId,
  toDispatchFields,
} from "./attempt-request.ts";
import { storeOutsideChanges } from "./facts/outside-changes.ts";
import { decideOnQuota } from "./quota.ts";
import { parseRoleInput } from "./role-input.ts";
import { type AttemptedDispatch, createTelemetryRow, getFailedStatus } from "./telemetry.ts";
import { createVerdictRows, isSentBack } from "./verdict-rows.ts";

/** agent() and attempt(): one dispatch, tried as often as its policy allows. */
export function createDispatchVerbs(run: Run): Pick<Verbs<unknown>, "agent" | "attempt"> {
  const dispatch = (verb: "agent" | "attempt", role: AnyRole, input: unknown, options: DispatchOptions = {}) => {
    const branch = scopes.getStore()?.scope.branch;
    const name = options.as !== undefined && options.as !== branch ? options.as : role.name;
    // Neither is part of the input: a run that waits for an answer continues with another policy or another base.
    const { retry, base, ...rest } = options;
    return runStep<Answer<unknown, boolean>>(run, {
      verb,
      name,
      // Recorded as it was passed in: the schema may transform it differently in a later version.
      input: { role: role.name, input, ...rest },
      admit: () => parseRoleInput(role, input),
      work: (place) => {
        runGuarded(run, () => run.phases.mayDispatch(place.phase, role.name));
        return runAttempts(run, place, {
          role,
          input: toStored(parseRoleInput(role, input)),
          options: { ...rest, ...(base ? { base } : {}), retry: retry ?? run.pipeline.retry },
        });
      },
      keep: (answer, place) => storeOutsideChanges(run, { role, input, options }, { answer, place }),
    });
  };
  return {
    async agent(role, input, options) {
      const outcome = await dispatch("agent", role as AnyRole, input, options);
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      // The contract was validated by the role's own schema before it was recorded.
      return outcome.value as never;
    },
    async attempt(role, input, options) {
      const { key: _key, ...outcome } = await dispatch("attempt", role as AnyRole, input, options);
      return outcome as never;
    },
  };
}

async function runAttempts(
  run: Run,
  place: StepPlace,
  request: DispatchRequest,
): Promise<StepEnd<Answer<unknown, boolean>>> {
  const history = readAttemptHistory(place.past, run.history.suspendedAt);
  await waitOutRetry(run, place);
  if (history.stuck) await continueAfterQuota(run, place, request, history);
  for (;;) {
    if (!history.open) history.number += 1;
    const { started, result: given } = await runAttempt(run, place, request, history);
    if (run.over) return createNever();
    updateHistory(history, given);
    history.firstAt ??= started.ts;
    const result = applyOwnVerdict(request, given);
    const failures = [...history.failures];
    const about = { ...toDispatchFields(place, request, history.number), startedAt: history.firstAt, failures };
    if (result.outcome === "done") return finishDispatch(run, request, about, result);
    if (result.outcome === "failed" && isQuotaFailure(result.failure)) {
      history.refusals.push({ finished: recordFailure(run, about, result), fallback: history.fallback });
      await continueAfterQuota(run, place, request, history);
      continue;
    }
    const stop = await retryOrFail(run, about, { result, history, retry: request.options.retry });
    if (stop) {
      const failures = history.failures.map(removeLastMessage);
      return {
        failure: removeLastMessage(stop),
        failures,
        rows: [createTelemetryRow(run, about, getFailedStatus(stop))],
      };
    }
  }
}

/** Notes what the next attempt would start with. */
function updateHistory(history: AttemptHistory, given: AttemptResult): void {
  history.open = undefined;
  history.ignoreCooldown = false;
  history.session = given.outcome === "interrupted" ? given.session : undefined;
  if (given.outcome === "failed" && given.kept !== undefined) history.kept = given.kept;
}

/**
 * Records the failed attempt and what follows. Returns the failure that ends the dispatch, or undefined if it is tried
 * again.
 */
async function retryOrFail(run: Run, about: AttemptedDispatch, missed: FailedAttempt): Promise<Failure | undefined> {
  const { result, history } = missed;
  // Decided before anything is recorded: a policy that throws must not leave a finished attempt without its sequel.
  const next = decideAfterFailure(run, missed);
  recordFailure(run, about, result);
  if ("stop" in next) return next.stop;
  if ("hold" in next) await holdDispatch(run, about, next.hold, history);
  else if (result.outcome === "interrupted") history.interruptions += result.orderly ? 0 : 1;
  else await retryLater(run, about, { because: result.failure, waitMs: next.waitMs, fallback: history.fallback });
  return undefined;
}

/** Suspends a dispatch that no other try can fix: a person looks first, and no finished work is lost. */
async function holdDispatch(
  run: Run,
  { fields }: AttemptedDispatch,
  { title, exit }: HoldReason,
  history: AttemptHistory,
): Promise<void> {
  await run.signals.resumed({ kind: "interrupted", id: fields.key, title, ...(exit === undefined ? {} : { exit }) });
  if (run.over) await createNever();
  history.interruptions = 0;
}

/** Continues after a used-up usage window, with the next agent. */
async function continueAfterQuota(
  run: Run,
  place: StepPlace,
  request: DispatchRequest,
  history: AttemptHistory,
): Promise<void> {
  const { waitMs, fallback, ignoreCooldown = false } = await decideOnQuota(run, place, history.refusals);
  const { failure: because, attempt = 0 } = history.refusals.at(-1)?.finished ?? {};
  if (because) await retryLater(run, toDispatchFields(place, request, attempt), { because, waitMs, fallback });
  Object.assign(history, { fallback, ignoreCooldown });
  if (run.over) await createNever();
}

function recordFailure(
  run: Run,
  { fields }: AttemptedDispatch,
  result: Exclude<AttemptResult, DoneResult>,
): JournalRecord<"agent.finished"> {
  const why = result.outcome === "failed" ? { failure: result.failure, ms: result.ms, ...toCredit(result) } : {};
  const instead = result.outcome === "failed" && result.instead !== undefined ? { instead: result.instead } : {};
  const kept = result.outcome === "failed" && result.kept !== undefined ? { kept: result.kept } : {};
  const cut = result.outcome === "interrupted" ? toInterruption(result) : {};
  const recorded = run.recorder.record({
    type: "agent.finished",
    ...fields,
    outcome: result.outcome,
    ...why,
    ...instead,
    ...kept,
    ...cut,
  });
  run.stops.settle(formatEffectId(run, fields, fields.attempt));
  return recorded;
}

type RetryPlan = { readonly because: Failure; readonly waitMs: number; readonly fallback: number };

async function retryLater(run: Run, { fields }: Pick<AttemptedDispatch, "fields">, plan: RetryPlan): Promise<void> {
  const { because, waitMs } = plan;
  const instead = plan.fallback > 0 ? { instead: plan.fallback } : {};
  run.recorder.record({ type: "agent.retried", ...fields, attempt: fields.attempt + 1, because, waitMs, ...instead });
  await run.world.sleep(waitMs, run.signal);
}

/** A valid answer in which the agent reports its own failure counts as a failure. */
function applyOwnVerdict(request: DispatchRequest, result: AttemptResult): AttemptResult {
  const failure = result.outcome === "done" ? request.role.fails?.(result.contract) : undefined;
  if (!failure || result.outcome !== "done") return result;
  return { outcome: "failed", failure, ms: result.ms, ...toCredit(result) };
}

type AttemptIntent = Pick<
  AttemptHistory,
  "number" | "open" | "failures" | "fallback" | "ignoreCooldown" | "session" | "kept"
>;

async function runAttempt(run: Run, place: StepPlace, request: DispatchRequest, intent: AttemptIntent) {
  const release = await acquireSlot(run, place, request, intent);
  try {
    if (run.over) return await createNever<{ started: JournalRecord<"agent.started">; result: AttemptResult }>();
    const started = intent.open ?? recordIntent(run, place, request, intent);
    const effect = createAttemptEffect(run, place, request, { ...intent, started });
    run.open.set(effect.id, toDispatchFields(place, request, started.attempt).fields);
    await run.recorder.durable();
    const result = await run.effect(intent.open ? "resume" : "start", effect);
    if (!run.over) run.open.delete(effect.id);
    return { started, result };
  } finally {
    release();
  }
}

/** Waits for a free slot, and for limits that allow the dispatch at that moment. */
async function acquireSlot(
  run: Run,
  place: StepPlace,
  { role }: DispatchRequest,
  intent: AttemptIntent,
): Promise<() => void> {
  const spender = { phase: place.phase, role: role.name };
  for (;;) {
    const release = await acquireAll(place.scope.caps);
    const hit = intent.open ? undefined : run.limit(spender);
    if (!hit) {
      // Reserved in the same turn as the check: the next branch must see it as spent.
      run.account.reserve(formatEffectId(run, place, intent.number), spender);
      return release;
    }
    release();
    // Running attempts may turn out cheaper than what is reserved for them.
    if (run.account.open() > 0) {
      await run.settled();
      if (run.over) await createNever();
      continue;
    }
    await run.signals.resumed({ kind: hit.status, id: place.key, title: hit.reason });
    if (run.over) await createNever();
  }
}

function recordIntent(
  run: Run,
  place: StepPlace,
  request: DispatchRequest,
  intent: AttemptIntent,
): JournalRecord<"agent.started"> {
  const { number, fallback, session: continues } = intent;
  return run.recorder.record({
    type: "agent.started",
    ...toDispatchFields(place, request, number).fields,
    effect: formatEffectId(run, place, number),
    nonce: run.world.newId(),
    ...(fallback > 0 ? { instead: fallback } : {}),
    ...(continues === undefined ? {} : { continues }),
  });
}

type DoneResult = Extract<AttemptResult, { outcome: "done" }>;

function finishDispatch(
  run: Run,
  request: DispatchRequest,
  about: AttemptedDispatch,
  result: DoneResult,
): StepEnd<Answer<unknown, boolean>> {
  const { fields } = about;
  const { instance, round, task = "" } = fields;
  const dispatched = { instance, round, task, input: request.input };
  const rows = createVerdictRows(request.role, result.contract, dispatched);
  run.recorder.record({
    type: "agent.finished",
    ...fields,
    outcome: "done",
    ms: result.ms,
    ...toCredit(result),
    ...(result.after === undefined ? {} : { after: result.after }),
    ...(result.changed === undefined ? {} : { changed: [...result.changed] }),
    ...(result.outside === undefined ? {} : { outside: [...result.outside] }),
    ...(result.repairs ? { repairs: result.repairs } : {}),
    ...(result.adopted ? { adopted: true as const } : {}),
  });
  run.stops.settle(formatEffectId(run, fields, fields.attempt));
  run.recorder.record({
    type: "claim.recorded",
    ...fields,
    claim: result.contract,
    ...(rows.length > 0 || request.role.rows ? { rows: [...rows] } : {}),
  });
  const answer = {
    ...(result.contract as object),
    by: fields.instance || fields.role,
    ...(about.failures.length > 0 ? { retried: about.failures.map(removeLastMessage) } : {}),
    ...(request.role.writes
      ? { after: { tree: result.after ?? "" }, changed: result.changed ?? [], outside: result.outside ?? [] }
      : {}),
  };
  const status = isSentBack(request.role, result.contract, dispatched) ? "NEEDS_REVISION" : "DONE";
  return { value: answer as Answer<unknown, boolean>, rows: [createTelemetryRow(run, about, { status })] };
}

/** Fields about the agent and its usage. */
function toCredit({ usage, by }: Pick<DoneResult, "usage" | "by">) {
  return { ...(by === undefined ? {} : { by }), ...(usage ? { usage: { ...usage } } : {}) };
}

async function waitOutRetry(run: Run, place: StepPlace): Promise<void> {
  const retried = place.past?.retried;
  if (!retried || place.past?.attempts.some((each) => each.started.attempt >= retried.attempt)) return;
  const left = retried.ts + retried.waitMs - run.world.now();
  if (left > 0) await run.world.sleep(left, run.signal);
}
