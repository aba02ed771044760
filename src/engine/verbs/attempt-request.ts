import type { Role } from "../../core/authoring/role.ts";
import type { DispatchOptions } from "../../core/authoring/verbs.ts";
import { selectFreeGlobs } from "../../core/checks/guard/guarded-path.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { AttemptRequest, Effect } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { StepPlace } from "../replay/step.ts";
import { listRenderedFiles, type Run } from "../run.ts";
import type { AttemptHistory } from "./attempt-history.ts";
import { collectAttemptFacts } from "./facts/attempt-facts.ts";

export type AnyRole = Role<unknown, unknown, boolean>;
export type DispatchRequest = { readonly role: AnyRole; readonly input: unknown; readonly options: DispatchOptions };

export const formatEffectId = (run: Run, place: Pick<StepPlace, "key">, number: number): string =>
  `${run.id}/${place.key}@${number}`;

/** Fields that every record about a dispatch has. */
export function toDispatchFields(place: StepPlace, request: DispatchRequest, attempt: number) {
  const task = findTask(request);
  const fields = {
    key: place.key,
    role: request.role.name,
    instance: request.options.as ?? place.scope.branch,
    ...(task ? { task } : {}),
    round: place.scope.round,
    attempt,
  };
  return { fields, phase: place.phase };
}

/** Returns the task named by the option, or by the input's own `task`. */
function findTask({ input, options }: DispatchRequest): string {
  if (options.task !== undefined) return options.task;
  const task = typeof input === "object" && input !== null && "task" in input ? input.task : undefined;
  if (typeof task === "string") return task;
  const id = typeof task === "object" && task !== null && "id" in task ? task.id : undefined;
  return typeof id === "string" ? id : "";
}

type AttemptStart = Pick<AttemptHistory, "failures" | "ignoreCooldown" | "kept"> & {
  readonly started: JournalRecord<"agent.started">;
};

/** Builds the attempt as plain data; the performer needs nothing else. */
export function createAttemptEffect(
  run: Run,
  place: StepPlace,
  asked: DispatchRequest,
  { started, failures, ignoreCooldown, kept }: AttemptStart,
): Effect<"attempt"> {
  const { writes, outside, delivers } = asked.options;
  const free = selectFreeGlobs(run.started.protectedPaths ?? []);
  const { base } = run.started;
  const tree = asked.options.in?.tree ?? base.tree;
  const { role, instance, task = "" } = started;
  const request: AttemptRequest = {
    pipeline: run.pipeline.name,
    phase: place.phase,
    role,
    instance,
    task,
    round: started.round,
    attempt: started.attempt,
    input: asked.input,
    nonce: started.nonce,
    tree,
    ...(writes ? { writes } : {}),
    ...(free.length > 0 ? { free } : {}),
    ...(outside ? { outside } : {}),
    ...(delivers ? { delivers } : {}),
    ...toRetry(failures),
    ...(kept === undefined ? {} : { kept }),
    ...(started.instead ? { instead: started.instead } : {}),
    ...(ignoreCooldown ? { anew: true } : {}),
    ...(started.continues === undefined ? {} : { continues: toContinuedAttempt(run, place, started) }),
    rendered: listRenderedFiles(run),
    ...collectAttemptFacts(run, { role, instance, task, tree, input: asked.input, base: asked.options.base?.tree }),
  };
  return { id: started.effect, run: run.id, kind: "attempt", request };
}

/** The attempt that was cut off is always the previous one. */
function toContinuedAttempt(run: Run, place: StepPlace, { attempt, continues = "" }: AttemptStart["started"]) {
  return { effect: formatEffectId(run, place, attempt - 1), session: continues };
}

/**
 * A transient failure changes nothing for the next attempt. After an unusable answer the next prompt says what was
 * wrong.
 */
function toRetry(failures: readonly Failure[]): Pick<AttemptRequest, "retry"> {
  const last = failures.at(-1);
  if (!last) return {};
  return { retry: { number: failures.length, ...(last.class === "contract" ? { because: last.message } : {}) } };
}
