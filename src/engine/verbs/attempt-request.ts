import type { AttemptRequest, Effect } from "../../core/effect.ts";
import type { Failure } from "../../core/failure.ts";
import type { JournalRecord } from "../../core/record.ts";
import type { Role } from "../../core/role.ts";
import type { DispatchOptions } from "../../core/verbs.ts";
import { type Run, renderedFiles } from "../run.ts";
import type { StepPlace } from "../step.ts";
import type { Tried } from "./tried.ts";

export type AnyRole = Role<unknown, unknown, boolean>;
export type Asked = { readonly role: AnyRole; readonly input: unknown; readonly options: DispatchOptions };

export const effectId = (run: Run, place: StepPlace, number: number): string => `${run.id}/${place.key}@${number}`;

/** What every record about a dispatch names. */
export function dispatchFields(place: StepPlace, asked: Asked, attempt: number) {
  const task = taskOf(asked);
  const fields = {
    key: place.key,
    role: asked.role.name,
    instance: asked.options.as ?? place.scope.branch,
    ...(task ? { task } : {}),
    round: place.scope.round,
    attempt,
  };
  return { fields, phase: place.phase };
}

/** The task is named by the option, or by the input's own `task`. */
function taskOf({ input, options }: Asked): string {
  if (options.task !== undefined) return options.task;
  const task = typeof input === "object" && input !== null && "task" in input ? input.task : undefined;
  if (typeof task === "string") return task;
  const id = typeof task === "object" && task !== null && "id" in task ? task.id : undefined;
  return typeof id === "string" ? id : "";
}

type Begun = Pick<Tried, "failures" | "anew"> & { readonly started: JournalRecord<"agent.started"> };

/** The attempt as data: whoever performs it needs nothing else. */
export function attemptEffect(
  run: Run,
  place: StepPlace,
  asked: Asked,
  { started, failures, anew }: Begun,
): Effect<"attempt"> {
  const { writes, outside, delivers } = asked.options;
  const request: AttemptRequest = {
    pipeline: run.pipeline.name,
    phase: place.phase,
    role: started.role,
    instance: started.instance,
    task: started.task ?? "",
    round: started.round,
    attempt: started.attempt,
    input: asked.input,
    nonce: started.nonce,
    tree: asked.options.in?.tree ?? run.started.base.tree,
    ...(writes ? { writes } : {}),
    ...(outside ? { outside } : {}),
    ...(delivers ? { delivers } : {}),
    ...retryOf(failures),
    ...(started.instead ? { instead: started.instead } : {}),
    ...(anew ? { anew: true } : {}),
    ...(started.continues === undefined ? {} : { continues: before(run, place, started) }),
    rendered: renderedFiles(run),
  };
  return { id: started.effect, run: run.id, kind: "attempt", request };
}

/** The attempt that was cut off is always the one right before. */
function before(run: Run, place: StepPlace, { attempt, continues = "" }: Begun["started"]) {
  return { effect: effectId(run, place, attempt - 1), session: continues };
}

/** A passing fault changes nothing for the next attempt; an unusable answer is told what it lacked. */
function retryOf(failures: readonly Failure[]): Pick<AttemptRequest, "retry"> {
  const last = failures.at(-1);
  if (!last) return {};
  return { retry: { number: failures.length, ...(last.class === "contract" ? { because: last.message } : {}) } };
}
