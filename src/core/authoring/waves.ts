import { SignalboxError } from "../failure/errors.ts";

export type Waved = {
  readonly id: string;
  readonly depends_on?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
};

/**
 * Orders tasks into waves: each wave depends only on earlier waves, and no two tasks of one wave share a file.
 * Dependencies outside the list count as done.
 */
export function waves<T extends Waved>(tasks: readonly T[]): readonly (readonly T[])[] {
  const known = new Set(tasks.map((task) => task.id));
  const delivered = new Set<string>();
  const result: (readonly T[])[] = [];
  let waiting = [...tasks];
  while (waiting.length > 0) {
    const wave = selectNextWave(waiting, known, delivered);
    if (wave.length === 0) throw createCycleError(waiting);
    result.push(wave);
    for (const task of wave) delivered.add(task.id);
    waiting = waiting.filter((task) => !wave.includes(task));
  }
  return result;
}

function selectNextWave<T extends Waved>(
  waiting: readonly T[],
  known: ReadonlySet<string>,
  delivered: ReadonlySet<string>,
): T[] {
  const wave: T[] = [];
  const taken = new Set<string>();
  for (const task of waiting) {
    const ready = (task.depends_on ?? []).every((id) => delivered.has(id) || !known.has(id));
    if (!ready || (task.files ?? []).some((file) => taken.has(file))) continue;
    for (const file of task.files ?? []) taken.add(file);
    wave.push(task);
  }
  return wave;
}

function createCycleError(waiting: readonly Waved[]): SignalboxError {
  const ids = waiting.map((task) => task.id).join(", ");
  return new SignalboxError(
    "PLAN_CYCLE",
    `The tasks ${ids} depend on each other, so none of them can start.`,
    "Remove one of the dependencies between them.",
  );
}
