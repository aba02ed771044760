import type { Retry } from "../../core/authoring/retry.ts";
import type { Act, Verbs } from "../../core/authoring/verbs.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { findJsonLoss } from "../../core/text/json.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import * as guards from "../replay/guards.ts";
import type { StepEnd, StepPlace } from "../replay/step.ts";
import { createNever, type Run } from "../run.ts";
import { runStepOrThrow } from "./world.ts";

/**
 * act(): a step of the pipeline's own code. Its start is the intent; its result is a claim and creates no ledger row.
 */
export function createActVerbs(run: Run): Pick<Verbs<unknown>, "act"> {
  return {
    act: (name, body, { retry = run.pipeline.retry, timeoutMs = TIMEOUT_MS } = {}) =>
      runStepOrThrow(run, {
        verb: "act",
        name,
        // Values that the function closes over are recorded values already; the function itself is no data.
        input: null,
        work: (place) => runWithRetries(run, place, { body, retry, timeoutMs }),
      }),
  };
}

const TIMEOUT_MS = 60_000;
/** How long to wait for a function after it was asked to stop. */
const GRACE_MS = 5_000;
/** Limit for a result as JSON; larger results belong in a file. */
const MOST_CHARACTERS = 65_536;
const MESSAGE_CHARACTERS = 1_000;

type ActCall<T> = { readonly body: Act<T>; readonly retry: Retry; readonly timeoutMs: number };

/** Every try has the same key, also under a later engine, so that the receiver can recognize a repeated request. */
async function runWithRetries<T>(run: Run, place: StepPlace, own: ActCall<T>): Promise<StepEnd<T>> {
  // Stores the intent first; this engine then still owns the run.
  await run.recorder.durable();
  const key = `${run.id}-${run.world.hash(place.key).slice(0, 16)}`;
  const failures: Failure[] = [];
  for (;;) {
    const end = await run.own(() => runTry(run, place, { ...own, key }));
    if (run.over) return createNever();
    if (!("failure" in end)) return end;
    failures.push(end.failure);
    const next = own.retry(failures);
    if (!next.again) return { failure: end.failure, failures };
    await run.world.sleep(next.waitMs, run.signal);
    if (run.over) return createNever();
  }
}

type ActTry<T> = Pick<ActCall<T>, "body" | "timeoutMs"> & { readonly key: string };

async function runTry<T>(run: Run, place: StepPlace, { body, key, timeoutMs }: ActTry<T>): Promise<StepEnd<T>> {
  const stop = new AbortController();
  const settled = new AbortController();
  const waitForTimeout = async (): Promise<StepEnd<T>> => {
    await run.world.sleep(timeoutMs, AbortSignal.any([run.signal, settled.signal]));
    stop.abort();
    await run.world.sleep(GRACE_MS, settled.signal);
    return { failure: { class: "transient", code: "timeout", message: `it did not end within ${timeoutMs} ms` } };
  };
  const runBody = async (): Promise<StepEnd<T>> => {
    const given = await body({ key, signal: stop.signal });
    // The result cannot be recorded, so the step counts as not done: a repaired pipeline does it again under the same
    // key.
    const lost = findJsonLoss(given, "a result");
    if (lost) return run.refuse(guards.createNotJsonError(run.id, place.key, lost));
    const value = redactDeep(given, run.world.redact);
    const size = JSON.stringify(value)?.length ?? 0;
    return size > MOST_CHARACTERS ? { failure: createTooLargeFailure(size) } : { value };
  };
  try {
    return await Promise.race([
      runBody().catch((error: unknown) => ({ failure: toThrownFailure(run, error) })),
      waitForTimeout(),
    ]);
  } finally {
    settled.abort();
  }
}

function createTooLargeFailure(size: number): Failure {
  const message = `its result has ${size} characters of JSON, and at most ${MOST_CHARACTERS} are allowed`;
  return { class: "deterministic", code: "result_too_large", message };
}

function toThrownFailure({ world }: Run, error: unknown): Failure {
  const said = error instanceof Error ? [error, error.cause].flatMap(listMessages).join(": ") : String(error);
  return { class: "transient", code: "act_threw", message: world.redact(said).slice(0, MESSAGE_CHARACTERS) };
}

/** The cause often says more than the error ("fetch failed"). */
const listMessages = (error: unknown): string[] => (error instanceof Error ? [error.message] : []);
