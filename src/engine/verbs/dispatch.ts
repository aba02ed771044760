import type { AttemptResult } from "../../core/effect.ts";
import type { Failure } from "../../core/failure.ts";
import { recorded } from "../../core/json.ts";
import type { LedgerRow } from "../../core/ledger.ts";
import type { JournalRecord } from "../../core/record.ts";
import type { Retry } from "../../core/retry.ts";
import type { Answer, DispatchOptions, Verbs } from "../../core/verbs.ts";
import { forever, type Run, StepFailed } from "../run.ts";
import { scopes } from "../scope.ts";
import { acquireAll } from "../semaphore.ts";
import { type StepEnd, type StepPlace, step } from "../step.ts";
import { type AnyRole, type Asked, attemptEffect, dispatchFields, effectId } from "./attempt-request.ts";
import { guarded } from "./headings.ts";

/** agent() and attempt(): one dispatch, tried as often as its policy says. */
export function dispatchVerbs(run: Run): Pick<Verbs<unknown>, "agent" | "attempt"> {
  const dispatch = (verb: string, role: AnyRole, input: unknown, options: DispatchOptions = {}) => {
    const branch = scopes.getStore()?.scope.branch;
    const name = options.as !== undefined && options.as !== branch ? options.as : role.name;
    const { retry, ...rest } = options;
    return step<Answer<unknown, boolean>>(run, {
      verb,
      name,
      input: { role: role.name, input, ...rest },
      work: (place) => {
        guarded(run, () => run.phases.mayDispatch(place.phase, role.name));
        return tries(run, place, {
          role,
          input: recorded(input),
          options: { ...rest, retry: retry ?? run.pipeline.retry },
        });
      },
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

async function tries(run: Run, place: StepPlace, asked: Asked): Promise<StepEnd<Answer<unknown, boolean>>> {
  const past = place.past?.attempts ?? [];
  const failures = past.flatMap((each) => each.finished?.failure ?? []);
  let interruptions = past.filter(({ finished }) => finished?.outcome === "interrupted" && !finished.orderly).length;
  let number = past.length;
  let open = past.at(-1)?.finished ? undefined : past.at(-1)?.started;
  let first = past[0]?.started.ts;
  await waitOutRetry(run, place);
  for (;;) {
    if (!open) number += 1;
    const { started, result: given } = await oneAttempt(run, place, asked, { number, open, failures });
    if (run.over) return forever();
    open = undefined;
    first ??= started.ts;
    const result = ownVerdict(asked, given);
    const about = { ...dispatchFields(place, asked, number), startedAt: first, failures: [...failures] };
    if (result.outcome === "done") return finish(run, asked, about, result);
    // Asked before anything is recorded: a policy that throws must not leave a finished attempt without its sequel.
    const next = decide(run, { result, failures, interruptions, retry: asked.options.retry });
    recordMiss(run, about, result);
    if ("stop" in next)
      return { failure: next.stop, failures: withLast(failures, next.stop), rows: [telemetry(run, about, next.stop)] };
    if (result.outcome === "interrupted") interruptions += 1;
    else await retryLater(run, about, { because: result.failure, waitMs: next.waitMs });
  }
}

/** An interruption that ends a dispatch is no failure of the agent's, but it is the last that happened. */
function withLast(failures: readonly Failure[], last: Failure): readonly Failure[] {
  return failures.at(-1) === last ? failures : [...failures, last];
}

function recordMiss(run: Run, { fields }: About, result: Exclude<AttemptResult, Done>): void {
  const why = result.outcome === "failed" ? { failure: result.failure, ms: result.ms, ...usageOf(result) } : {};
  run.recorder.record({ type: "agent.finished", ...fields, outcome: result.outcome, ...why });
}

async function retryLater(run: Run, { fields }: About, at: { because: Failure; waitMs: number }): Promise<void> {
  run.recorder.record({ type: "agent.retried", ...fields, attempt: fields.attempt + 1, ...at });
  await run.world.sleep(at.waitMs, run.signal);
}

/** An agent that answers properly that it failed has failed. */
function ownVerdict(asked: Asked, result: AttemptResult): AttemptResult {
  const failure = result.outcome === "done" ? asked.role.fails?.(result.contract) : undefined;
  if (!failure || result.outcome !== "done") return result;
  return { outcome: "failed", failure, ms: result.ms, ...(result.usage ? { usage: result.usage } : {}) };
}

type Intent = {
  readonly number: number;
  readonly open: JournalRecord<"agent.started"> | undefined;
  /** What the attempts before it failed with. */
  readonly failures: readonly Failure[];
};

async function oneAttempt(run: Run, place: StepPlace, asked: Asked, intent: Intent) {
  const release = await admitted(run, place, asked, intent);
  try {
    if (run.over) return await forever<{ started: JournalRecord<"agent.started">; result: AttemptResult }>();
    const started = intent.open ?? recordIntent(run, place, asked, intent.number);
    const effect = attemptEffect(run, place, asked, { started, failures: intent.failures });
    run.open.set(effect.id, dispatchFields(place, asked, started.attempt).fields);
    await run.recorder.durable();
    const result = await run.effect(intent.open ? "resume" : "start", effect);
    if (!run.over) run.open.delete(effect.id);
    return { started, result };
  } finally {
    release();
  }
}

/** A place among those that may work, within the limits at the moment the place is free. */
async function admitted(run: Run, place: StepPlace, { role }: Asked, intent: Intent): Promise<() => void> {
  const spender = { phase: place.phase, role: role.name };
  for (;;) {
    const release = await acquireAll(place.scope.caps);
    const hit = intent.open ? undefined : run.limit(spender);
    if (!hit) {
      // In the same breath as the look: a branch that looks next must see it spent.
      run.account.reserve(effectId(run, place, intent.number), spender);
      return release;
    }
    release();
    // What is under way may turn out cheaper than what is reserved for it.
    if (run.account.open() > 0) {
      await run.settled();
      if (run.over) await forever();
      continue;
    }
    await run.letters.resumed({ kind: hit.status, id: place.key, title: hit.reason });
    if (run.over) await forever();
  }
}

function recordIntent(run: Run, place: StepPlace, asked: Asked, number: number): JournalRecord<"agent.started"> {
  const record = run.recorder.record({
    type: "agent.started",
    ...dispatchFields(place, asked, number).fields,
    effect: effectId(run, place, number),
    nonce: run.world.newId(),
  });
  // `record` gives back what it was given, stamped.
  return record as JournalRecord<"agent.started">;
}

type About = ReturnType<typeof dispatchFields> & {
  readonly startedAt: number;
  readonly failures: readonly Failure[];
};
type Done = Extract<AttemptResult, { outcome: "done" }>;

function finish(run: Run, asked: Asked, about: About, result: Done): StepEnd<Answer<unknown, boolean>> {
  const { fields } = about;
  const rows = asked.role.rows?.(result.contract, {
    instance: fields.instance,
    round: fields.round,
    task: fields.task ?? "",
    input: asked.input,
  });
  run.recorder.record({
    type: "agent.finished",
    ...fields,
    outcome: "done",
    ms: result.ms,
    ...usageOf(result),
    ...(result.after === undefined ? {} : { after: result.after }),
    ...(result.changed === undefined ? {} : { changed: [...result.changed] }),
    ...(result.outside === undefined ? {} : { outside: [...result.outside] }),
    ...(result.repairs ? { repairs: result.repairs } : {}),
    ...(result.adopted ? { adopted: true as const } : {}),
  });
  // A contract is JSON by construction; the record's schema only has its own name for that.
  run.recorder.record({
    type: "claim.recorded",
    ...fields,
    claim: result.contract as never,
    ...(rows ? { rows: [...rows] } : {}),
  });
  const answer = {
    ...(result.contract as object),
    by: fields.instance || fields.role,
    ...(about.failures.length > 0 ? { retried: about.failures } : {}),
    ...(asked.role.writes
      ? { after: { tree: result.after ?? "" }, changed: result.changed ?? [], outside: result.outside ?? [] }
      : {}),
  };
  return { value: answer as Answer<unknown, boolean>, rows: [telemetry(run, about, undefined, result.contract)] };
}

function usageOf(result: { readonly usage?: Done["usage"] }) {
  return result.usage ? { usage: { ...result.usage } } : {};
}

type Next = { readonly stop: Failure } | { readonly waitMs: number };

function decide(
  run: Run,
  at: { result: Exclude<AttemptResult, Done>; failures: Failure[]; interruptions: number; retry: Retry | undefined },
): Next {
  const { result, failures } = at;
  if (result.outcome === "interrupted") {
    if (at.interruptions < run.host.interruptions) return { waitMs: 0 };
    const message = `interrupted ${at.interruptions + 1} times: the engine or its machine died while the agent worked`;
    return { stop: { class: "interrupted", code: "interrupted", message } };
  }
  failures.push(result.failure);
  const next = at.retry?.(failures) ?? { again: false };
  return next.again ? { waitMs: next.waitMs } : { stop: result.failure };
}

async function waitOutRetry(run: Run, place: StepPlace): Promise<void> {
  const retried = place.past?.retried;
  if (!retried || place.past?.attempts.some((each) => each.started.attempt >= retried.attempt)) return;
  const left = retried.ts + retried.waitMs - run.world.now();
  if (left > 0) await run.world.sleep(left, run.signal);
}

const NOTES_LIMIT = 1_000;

function telemetry(run: Run, about: About, failure?: Failure, contract?: unknown): LedgerRow {
  const { fields } = about;
  return {
    table: "pipeline_telemetry",
    values: {
      step: about.phase,
      agent: fields.role,
      instance: fields.instance,
      started_at: new Date(about.startedAt).toISOString(),
      completed_at: new Date(run.world.now()).toISOString(),
      status: telemetryStatus(failure, contract),
      dispatch_count: fields.attempt,
      retry_count: about.failures.length,
      notes: failure ? failure.message.slice(0, NOTES_LIMIT) : "",
    },
  };
}

function telemetryStatus(failure: Failure | undefined, contract: unknown): string {
  if (failure) return failure.code === "timeout" ? "TIMEOUT" : "ERROR";
  const said = JSON.stringify(contract ?? null);
  return said.includes('"NEEDS_REVISION"') ? "NEEDS_REVISION" : "DONE";
}
