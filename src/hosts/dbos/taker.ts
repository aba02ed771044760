import { setTimeout as delay } from "node:timers/promises";
import type { Complain } from "./complain.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { type Caps, TASKS_TOPIC, type TakenKind, type TakenTask, type TaskRow, type Tasks } from "./tables/tasks.ts";

export type TakerParts = {
  readonly tasks: Tasks;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  readonly repo: string | null;
  readonly labels: readonly string[];
  readonly caps: Caps;
  /** So many attempts at once, and so many runs: apart, because runs wait for attempts. */
  readonly concurrency: number | null;
  /** Under which name it takes; another one after it was declared dead. */
  readonly worker: () => string;
  readonly carryOut: (task: TakenTask) => Promise<void>;
  readonly isHere: (id: string) => boolean;
  readonly complain: Complain;
};

type Held = { readonly task: TakenTask; readonly by: string };

/** Takes what this worker offers, for as long as there is room and the host is open. Resolves when all of it has ended. */
export async function takeTasks(parts: TakerParts): Promise<void> {
  const { notices, closing, complain } = parts;
  const held = new Set<Held>();
  const under = new Set<Promise<void>>();
  const begin = (one: Held) => {
    held.add(one);
    const done = carry(parts, one).finally(() => {
      held.delete(one);
      under.delete(done);
      notices.notifier.ring(TASKS_TOPIC);
    });
    under.add(done);
  };
  while (!closing.aborted) {
    await notices.listening();
    const rung = notices.notifier.count(TASKS_TOPIC);
    // A failed look is made good by the next one: what is wanted stays in the table.
    const one = await next(parts, held).catch((error: unknown) => complain("looking for tasks", error));
    if (one) begin(one);
    else await notices.notifier.after(TASKS_TOPIC, rung, closing);
  }
  await Promise.all(under);
}

/** Beside as many runs as it wants, a worker takes over as many again: one that waits for its agents costs little. */
const TAKEN_OVER = 2;

function kindsFor(own: readonly TakenTask[], most: number): readonly TakenKind[] {
  const count = (kind: TaskRow["kind"]) => own.filter((task) => task.kind === kind).length;
  const runs = count("run");
  return [
    ...(runs < most ? ["run" as const] : runs < most * TAKEN_OVER ? ["run:begun" as const] : []),
    ...(count("effect") < most ? ["effect" as const] : []),
  ];
}

async function next(parts: TakerParts, held: Iterable<Held>): Promise<Held | undefined> {
  const { tasks, concurrency, closing, worker } = parts;
  const by = worker();
  const own = [...held].filter((one) => one.by === by).map(({ task }) => task);
  const kinds = kindsFor(own, concurrency ?? Number.POSITIVE_INFINITY);
  if (kinds.length === 0 || closing.aborted) return undefined;
  const { repo, labels, caps } = parts;
  const task = await tasks.take({ worker: by, repo, labels, caps, kinds, held: own.map(({ id }) => id) });
  return task && { task, by };
}

const TRY_AGAIN_MS = 1_000;

/** What cannot be carried out stays this worker's, and is tried again after a moment. */
async function carry({ tasks, carryOut, isHere, closing, complain }: TakerParts, { task, by }: Held): Promise<void> {
  try {
    // Only its bookkeeping failed: begun a second time beside itself, it would recover what still goes on.
    if (isHere(task.id)) throw new Error("it still goes on here");
    await carryOut(task);
    await tasks.end(task.id, by);
  } catch (error) {
    if (closing.aborted) return;
    complain(task.id, error);
    await delay(TRY_AGAIN_MS, undefined, { signal: closing }).catch(() => undefined);
  }
}
