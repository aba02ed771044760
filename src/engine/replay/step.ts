import { SignalboxError } from "../../core/failure/errors.ts";
import type { Failure, Outcome } from "../../core/failure/failure.ts";
import type { LedgerRow } from "../../core/journal/ledger.ts";
import type { Stamp } from "../../core/journal/record.ts";
import type { StepVerb } from "../../core/journal/step-verbs.ts";
import { canonical, findJsonLoss, toJson, toStored } from "../../core/text/json.ts";
import { toStepConclusion } from "../drive/to-conclusion.ts";
import { createNever, type Run } from "../run.ts";
import { restoreFiles } from "./fork-files.ts";
import * as guards from "./guards.ts";
import type { PastStep } from "./history.ts";
import { escapeKeyPart, type Scope, scopes } from "./scope.ts";

export type StepPlace = {
  readonly key: string;
  readonly scope: Scope;
  readonly phase: string;
  /** The first record of the step: its start and the chain at that time, the same on every replay. */
  readonly first: Pick<Stamp, "seq" | "ts" | "chain">;
  readonly past: PastStep | undefined;
};

export type StepEnd<T> = { readonly rows?: readonly LedgerRow[] } & (
  | { readonly value: T }
  | { readonly failure: Failure; readonly failures?: readonly Failure[] }
);

export type StepSpec<T> = {
  readonly verb: StepVerb;
  /** The last part of the key. */
  readonly name: string;
  /** The values that the step depends on; a replay with other values is refused. */
  readonly input: unknown;
  /** The input as earlier versions recorded it, if it differs. Their runs continue. */
  readonly formerly?: unknown;
  /**
   * Throws if the step must not begin. Nothing is recorded then, so the run continues after the pipeline is repaired.
   */
  readonly admit?: () => void;
  readonly work: (place: StepPlace) => Promise<StepEnd<T>>;
  /** Applies the result to the state of the run, on the first run and on every replay. */
  readonly keep?: (value: T, place: StepPlace & { readonly seq: number }) => void;
};

/**
 * Executes one recorded unit: reads it from the journal, or performs and records it.
 * @rule L-28 (code) A run that was killed after any record continues where it was, with the same counts, and repeats no
 *   finished dispatch.
 */
export async function runStep<T>(run: Run, spec: StepSpec<T>): Promise<Outcome<T> & { readonly key: string }> {
  if (run.over) return createNever();
  const scope = enterScope(run, `${spec.verb}("${spec.name}")`);
  if (scope.phase === undefined) return run.refuse(guards.createPhaseMissingError(run.id, spec.verb));
  const n = scope.n++;
  const key = createStepKey(run, scope, spec.name);
  scope.pending = key;
  try {
    return await run.idle.busy(async () => {
      const bringing = run.history.at(scope.id, n) ? undefined : restoreFiles(run, key);
      if (bringing) await bringing;
      const place = { key, scope, phase: scope.phase ?? "", ...locateStep(run, { scope, n, key, spec }) };
      const { seq, ...outcome } = place.past?.finished
        ? getPastOutcome<T>(place.past)
        : await performStep(run, spec, place);
      if (outcome.ok) spec.keep?.(outcome.value, { ...place, seq });
      return { ...outcome, key };
    });
  } finally {
    scope.pending = undefined;
  }
}

/** Returns the scope in which a verb was called. Refuses calls that would make a replay ambiguous. */
export function enterScope(run: Run, verb: string): Scope {
  const store = scopes.getStore();
  if (!store || store.run !== run.id || store.scope.closed) return run.refuse(guards.createVerbOutsideError(verb));
  const { scope } = store;
  if (scope.ended) return run.refuse(guards.createSwallowedError(run.id, verb));
  if (scope.pending !== undefined) return run.refuse(guards.createConcurrentError(run.id, verb, scope.pending));
  return scope;
}

export function createStepKey(run: Run, scope: Scope, name: string): string {
  const text = [escapeKeyPart(scope.phase ?? ""), ...scope.path, escapeKeyPart(name)].join("/");
  const count = (run.keys.get(text) ?? 0) + 1;
  run.keys.set(text, count);
  return count === 1 ? text : `${text}#${count}`;
}

/**
 * Runs a check of the pipeline's own declaration. A pipeline that violates it has a bug: the run is suspended and can
 * continue after a repair.
 */
export function runGuarded(run: Run, check: () => void): void {
  try {
    check();
  } catch (error) {
    run.refuse(error instanceof SignalboxError ? error : guards.createThrewError(run.id, error));
  }
}

/** Finds the records of the step, or writes its first one. */
function locateStep<T>(
  run: Run,
  at: { scope: Scope; n: number; key: string; spec: StepSpec<T> },
): Pick<StepPlace, "past" | "first"> {
  const { scope, n, key, spec } = at;
  const lost = findJsonLoss(spec.input, "an input");
  if (lost) run.refuse(guards.createNotJsonError(run.id, key, lost));
  const said = canonical({ verb: spec.verb, name: spec.name, input: spec.input });
  const print = run.world.hash(removeRunId(run, said));
  const past = run.history.at(scope.id, n);
  if (!past) {
    const elsewhere = run.history.byKey(key);
    if (elsewhere || run.history.lastPlace(scope.id) > n || run.history.opened(scope.id, n) || isPast(run, scope)) {
      run.refuse(
        guards.createDivergedError(
          run.id,
          key,
          elsewhere ? `${key}" elsewhere, and another step "here` : "another step",
        ),
      );
    }
    runGuarded(run, () => spec.admit?.());
    const phase = scope.phase ?? "";
    const started = run.recorder.record({
      type: "step.started",
      key,
      scope: scope.id,
      n,
      verb: spec.verb,
      phase,
      print,
    });
    return { past: undefined, first: started };
  }
  if (past.started.key !== key) run.refuse(guards.createDivergedError(run.id, key, past.started.key));
  if (past.started.type !== "step.started" || !isSame(run, spec, { recorded: past.started.print, print }))
    run.refuse(guards.createStepChangedError(run.id, key, run.started.from));
  run.visited.add(key);
  return { past, first: past.started };
}

/**
 * Replaces the run id in the input of a step: a run that takes over the steps of another gets the same input with its
 * own id in it.
 */
export const removeRunId = ({ id }: Pick<Run, "id">, text: string): string => text.replaceAll(id, "{run}");

function isSame<T>(run: Run, spec: StepSpec<T>, at: { recorded: string; print: string }): boolean {
  if (at.recorded === at.print) return true;
  const { verb, name, input, formerly = input } = spec;
  return at.recorded === run.world.hash(canonical({ verb, name, input: formerly }));
}

/** True if the journal has gone beyond this scope: everything in it had ended, so no new step can begin there. */
function isPast(run: Run, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at?.parent; at = at.parent) {
    if (run.history.lastPlace(at.parent.id) > at.place) return true;
    if (at.nextRound !== undefined && run.history.entered(at.nextRound)) return true;
  }
  return false;
}

type SequencedOutcome<T> = Outcome<T> & { readonly seq: number };

function getPastOutcome<T>(past: PastStep): SequencedOutcome<T> {
  const finished = past.finished;
  const seq = finished?.seq ?? 0;
  if (finished?.failure) return { ok: false, failure: finished.failure, ...toFailureList(finished.failures), seq };
  // The journal holds what this very verb recorded, so it has the verb's type.
  return { ok: true, value: toStored(finished?.value) as T, seq };
}

async function performStep<T>(run: Run, spec: StepSpec<T>, place: StepPlace): Promise<SequencedOutcome<T>> {
  const end = await runWork(run, spec, place);
  if (run.over) return createNever();
  const rows = end.rows && end.rows.length > 0 ? { rows: [...end.rows] } : {};
  if ("failure" in end) {
    const failed = { failure: end.failure, ...toFailureList(end.failures) };
    const { seq } = run.recorder.record({ type: "step.finished", key: place.key, ...failed, ...rows });
    return { ok: false, ...failed, seq };
  }
  const value = toJson(end.value);
  const kept = value === undefined ? {} : { value };
  const { seq } = run.recorder.record({ type: "step.finished", key: place.key, ...kept, ...rows });
  // The verb's own value, read back.
  return { ok: true, value: value as T, seq };
}

/** A single failure is not listed again. */
function toFailureList(failures: readonly Failure[] | undefined): { failures?: Failure[] } {
  return failures && failures.length > 1 ? { failures: [...failures] } : {};
}

/** An error inside a step is not recorded, so the body must not be able to act on it: the run stops here. */
async function runWork<T>(run: Run, spec: StepSpec<T>, place: StepPlace): Promise<StepEnd<T>> {
  try {
    return await spec.work(place);
  } catch (error) {
    run.conclude(toStepConclusion(run.id, error));
    return createNever();
  }
}
