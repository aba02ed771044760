import { setTimeout as delay } from "node:timers/promises";
import type { LogFailure } from "./failure-logger.ts";
import type { Notices } from "./tables/listen-notify.ts";
import {
  type AttemptLimits,
  TASKS_TOPIC,
  type TakenKind,
  type TakenTask,
  type TaskRow,
  type Tasks,
} from "./tables/tasks.ts";

export type TakerDeps = {
  readonly tasks: Tasks;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  readonly repo: string | null;
  readonly labels: readonly string[];
  readonly caps: AttemptLimits;
  /** Limits attempts and runs separately, because runs wait for attempts. */
  readonly concurrency: number | null;
  /** The current worker id, which changes after the worker was declared dead. */
  readonly worker: () => string;
  readonly carryOut: (task: TakenTask) => Promise<void>;
  readonly isHere: (id: string) => boolean;
  readonly complain: LogFailure;
};

type HeldTask = { readonly task: TakenTask; readonly by: string };

/** Takes tasks while there is capacity and the host is open. Resolves when all of them have ended. */
export async function takeTasks(parts: TakerDeps): Promise<void> {
  const { notices, closing, complain } = parts;
  const held = new Set<HeldTask>();
  const under = new Set<Promise<void>>();
  const begin = (one: HeldTask) => {
    held.add(one);
    const done = performTask(parts, one).finally(() => {
      held.delete(one);
      under.delete(done);
      notices.notifier.ring(TASKS_TOPIC);
    });
    under.add(done);
  };
  while (!closing.aborted) {
    await notices.listening();
    const rung = notices.notifier.count(TASKS_TOPIC);
    // A failed check is repeated by the next one: tasks stay in the table.
    const one = await takeNextTask(parts, held).catch((error: unknown) => complain("looking for tasks", error));
    if (one) begin(one);
    else await notices.notifier.after(TASKS_TOPIC, rung, closing);
  }
  await Promise.all(under);
}

/**
 * A worker may take over this many times its limit of runs from dead workers: a run that waits for agents costs little.
 */
const TAKEN_OVER = 2;

function selectKinds(own: readonly TakenTask[], most: number): readonly TakenKind[] {
  const count = (kind: TaskRow["kind"]) => own.filter((task) => task.kind === kind).length;
  const runs = count("run");
  return [
    ...(runs < most ? ["run" as const] : runs < most * TAKEN_OVER ? ["run:begun" as const] : []),
    ...(count("effect") < most ? ["effect" as const] : []),
  ];
}

async function takeNextTask(parts: TakerDeps, held: Iterable<HeldTask>): Promise<HeldTask | undefined> {
  const { tasks, concurrency, closing, worker } = parts;
  const by = worker();
  const own = [...held].filter((one) => one.by === by).map(({ task }) => task);
  const kinds = selectKinds(own, concurrency ?? Number.POSITIVE_INFINITY);
  if (kinds.length === 0 || closing.aborted) return undefined;
  const { repo, labels, caps } = parts;
  const task = await tasks.take({ worker: by, repo, labels, caps, kinds, held: own.map(({ id }) => id) });
  return task && { task, by };
}

const TRY_AGAIN_MS = 1_000;

/** A task that fails stays with this worker and is retried after a pause. */
async function performTask(
  { tasks, carryOut, isHere, closing, complain }: TakerDeps,
  { task, by }: HeldTask,
): Promise<void> {
  try {
    // The task still runs here and only its row could not be updated. Starting it again would recover work in progress.
    if (isHere(task.id)) throw new Error("it is still running here");
    await carryOut(task);
    await tasks.end(task.id, by);
  } catch (error) {
    if (closing.aborted) return;
    complain(task.id, error);
    await delay(TRY_AGAIN_MS, undefined, { signal: closing }).catch(() => undefined);
  }
}
