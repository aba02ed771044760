import type { AttemptResult } from "../../core/effect.ts";
import { EXIT } from "../../core/errors.ts";
import { type Failure, isLacking } from "../../core/failure.ts";
import { recorded } from "../../core/json.ts";
import type { JournalRecord } from "../../core/record.ts";
import type { Retry } from "../../core/retry.ts";
import { isUsedUp } from "../../core/usage-window.ts";
import type { Answer, DispatchOptions, Verbs } from "../../core/verbs.ts";
import { forever, type Run, StepFailed } from "../run.ts";
import { scopes } from "../scope.ts";
import { acquireAll } from "../semaphore.ts";
import { type StepEnd, type StepPlace, step } from "../step.ts";
import { type AnyRole, type Asked, attemptEffect, dispatchFields, effectId } from "./attempt-request.ts";
import { guarded } from "./headings.ts";
import { type About, telemetry } from "./telemetry.ts";
import { type Tried, triedSoFar } from "./tried.ts";
import { pastWindow } from "./usage-window.ts";

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
  const tried = triedSoFar(place.past, run.history.suspendedAt);
  await waitOutRetry(run, place);
  if (tried.stuck) await goOn(run, place, asked, tried);
  for (;;) {
    if (!tried.open) tried.number += 1;
    const { started, result: given } = await oneAttempt(run, place, asked, tried);
    if (run.over) return forever();
    tried.open = undefined;
    tried.anew = false;
    tried.session = given.outcome === "interrupted" ? given.session : undefined;
    tried.firstAt ??= started.ts;
    const result = ownVerdict(asked, given);
    const failures = [...tried.failures];
    const about = { ...dispatchFields(place, asked, tried.number), startedAt: tried.firstAt, failures };
    if (result.outcome === "done") return finish(run, asked, about, result);
    if (result.outcome === "failed" && isUsedUp(result.failure)) {
      tried.refusals.push({ finished: recordMiss(run, about, result), instead: tried.instead });
      await goOn(run, place, asked, tried);
      continue;
    }
    const stop = await sequel(run, about, { result, tried, retry: asked.options.retry });
    if (stop) {
      return { failure: stop, failures: tried.failures, rows: [telemetry(run, about, stop)] };
    }
  }
}

type Missed = {
  readonly result: Exclude<AttemptResult, Done>;
  readonly tried: Tried;
  readonly retry: Retry | undefined;
};

/** Records the miss and what follows; the failure that ends the dispatch, or undefined where it is tried again. */
async function sequel(run: Run, about: About, missed: Missed): Promise<Failure | undefined> {
  const { result, tried } = missed;
  // Asked before anything is recorded: a policy that throws must not leave a finished attempt without its sequel.
  const next = decide(run, missed);
  recordMiss(run, about, result);
  if ("stop" in next) return next.stop;
  if ("hold" in next) await heldBack(run, about, next.hold, tried);
  else if (result.outcome === "interrupted") tried.interruptions += 1;
  else await retryLater(run, about, { because: result.failure, waitMs: next.waitMs, instead: tried.instead });
  return undefined;
}

/** What no other try can mend: a person looks first, and nothing that was done is lost. */
async function heldBack(run: Run, { fields }: About, { title, exit }: Hold, tried: Tried): Promise<void> {
  await run.letters.resumed({ kind: "interrupted", id: fields.key, title, ...(exit === undefined ? {} : { exit }) });
  if (run.over) await forever();
  tried.interruptions = 0;
}

/** Past a used-up usage window, to whoever plays next. */
async function goOn(run: Run, place: StepPlace, asked: Asked, tried: Tried): Promise<void> {
  const { waitMs, instead, anew = false } = await pastWindow(run, place, tried.refusals);
  const { failure: because, attempt = 0 } = tried.refusals.at(-1)?.finished ?? {};
  if (because) await retryLater(run, dispatchFields(place, asked, attempt), { because, waitMs, instead });
  Object.assign(tried, { instead, anew });
  if (run.over) await forever();
}

function recordMiss(
  run: Run,
  { fields }: About,
  result: Exclude<AttemptResult, Done>,
): JournalRecord<"agent.finished"> {
  const why = result.outcome === "failed" ? { failure: result.failure, ms: result.ms, ...creditOf(result) } : {};
  const instead = result.outcome === "failed" && result.instead !== undefined ? { instead: result.instead } : {};
  const session = result.outcome === "interrupted" && result.session !== undefined ? { session: result.session } : {};
  const record = run.recorder.record({
    type: "agent.finished",
    ...fields,
    outcome: result.outcome,
    ...why,
    ...instead,
    ...session,
  });
  // `record` gives back what it was given, stamped.
  return record as JournalRecord<"agent.finished">;
}

type Sequel = { readonly because: Failure; readonly waitMs: number; readonly instead: number };

async function retryLater(run: Run, { fields }: Pick<About, "fields">, sequel: Sequel): Promise<void> {
  const { because, waitMs } = sequel;
  const instead = sequel.instead > 0 ? { instead: sequel.instead } : {};
  run.recorder.record({ type: "agent.retried", ...fields, attempt: fields.attempt + 1, because, waitMs, ...instead });
  await run.world.sleep(waitMs, run.signal);
}

/** An agent that answers properly that it failed has failed. */
function ownVerdict(asked: Asked, result: AttemptResult): AttemptResult {
  const failure = result.outcome === "done" ? asked.role.fails?.(result.contract) : undefined;
  if (!failure || result.outcome !== "done") return result;
  return { outcome: "failed", failure, ms: result.ms, ...creditOf(result) };
}

type Intent = Pick<Tried, "number" | "open" | "failures" | "instead" | "anew" | "session">;

async function oneAttempt(run: Run, place: StepPlace, asked: Asked, intent: Intent) {
  const release = await admitted(run, place, asked, intent);
  try {
    if (run.over) return await forever<{ started: JournalRecord<"agent.started">; result: AttemptResult }>();
    const started = intent.open ?? recordIntent(run, place, asked, intent);
    const effect = attemptEffect(run, place, asked, { ...intent, started });
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

function recordIntent(run: Run, place: StepPlace, asked: Asked, intent: Intent): JournalRecord<"agent.started"> {
  const { number, instead, session: continues } = intent;
  const record = run.recorder.record({
    type: "agent.started",
    ...dispatchFields(place, asked, number).fields,
    effect: effectId(run, place, number),
    nonce: run.world.newId(),
    ...(instead > 0 ? { instead } : {}),
    ...(continues === undefined ? {} : { continues }),
  });
  // `record` gives back what it was given, stamped.
  return record as JournalRecord<"agent.started">;
}

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
    ...creditOf(result),
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

/** Who it was, and what it took. */
function creditOf({ usage, by }: Pick<Done, "usage" | "by">) {
  return { ...(by === undefined ? {} : { by }), ...(usage ? { usage: { ...usage } } : {}) };
}

/** Whatever is refused for longer is a used-up window. */
const LONGEST_REFUSAL_MS = 10 * 60_000;

type Hold = { readonly title: string; readonly exit?: number };
type Next = { readonly stop: Failure } | { readonly hold: Hold } | { readonly waitMs: number };

function decide(run: Run, { result, tried, retry }: Missed): Next {
  if (result.outcome === "interrupted") {
    return tried.interruptions < run.host.interruptions ? { waitMs: 0 } : { hold: died(tried.interruptions + 1) };
  }
  if (isLacking(result.failure)) return { hold: lacking(result.failure) };
  tried.failures.push(result.failure);
  const next = retry?.(tried.failures) ?? { again: false };
  if (!next.again) return { stop: result.failure };
  // Sooner it would only be refused again.
  const refusedFor = Math.min((result.failure.wakeAt ?? 0) - run.world.now(), LONGEST_REFUSAL_MS);
  return { waitMs: Math.max(next.waitMs, refusedFor) };
}

/** Something here ends engines, perhaps this very agent's work. */
const died = (times: number): Hold => ({
  title: `The engine or its machine died ${times} times while the same agent worked. What was done before is kept; see what ends it (memory, a time limit, a restart), then \`signalbox resume\` asks the agent again.`,
});

const lacking = ({ message }: Failure): Hold => ({
  title: `${message.replace(/[.\s]*$/, "")}. What was done before is kept; \`signalbox doctor\` says how that agent is installed and logged in, then \`signalbox resume\` asks it again.`,
  exit: EXIT.environment,
});

async function waitOutRetry(run: Run, place: StepPlace): Promise<void> {
  const retried = place.past?.retried;
  if (!retried || place.past?.attempts.some((each) => each.started.attempt >= retried.attempt)) return;
  const left = retried.ts + retried.waitMs - run.world.now();
  if (left > 0) await run.world.sleep(left, run.signal);
}
