import type { Task, TaskStatus, Tasks } from "../contracts.ts";

type TimeField = "started_at" | "first_code_change_at" | "finished_at";
type State = {
  status: TaskStatus;
  attempt: number;
  note: string;
  times: Partial<Record<TimeField, string>>;
};

/**
 * State of each task in an iteration, shown in `tasks.yaml`. Changed only between parallel branches. Times are set when
 * the file is written, so that there is one clock.
 */
export type TaskBoard = ReturnType<typeof openTaskBoard>;

/**
 * @rule T-55 (code) tasks_total and groups_total are set when `tasks.yaml` is valid, tasks have started, first-change
 *   and finished times, and percent is 100 only after acceptance.
 */
export function openTaskBoard(tasks: Tasks, accepted: readonly string[] = []) {
  const states = new Map(tasks.tasks.map((task) => [task.id, fresh(accepted.includes(task.id))]));
  const due: { id: string; stamp: TimeField }[] = [];
  const of = (id: string): State => states.get(id) ?? fresh(false);
  const stampOnce = (id: string, stamp: TimeField) => {
    if (of(id).times[stamp] === undefined) due.push({ id, stamp });
  };
  return {
    tasks,
    begin(ids: readonly string[]) {
      for (const id of ids) {
        of(id).attempt += 1;
        stampOnce(id, "started_at");
      }
    },
    set(id: string, { status, note = "", changed = false }: { status: TaskStatus; note?: string; changed?: boolean }) {
      const state = of(id);
      state.status = status;
      state.note = note;
      if (changed) stampOnce(id, "first_code_change_at");
      if (status === "ACCEPTED") stampOnce(id, "finished_at");
    },
    /** Resets the attempts when a person resumes a paused task. */
    renew(ids: readonly string[]) {
      for (const id of ids) of(id).attempt = 0;
    },
    attempt: (id: string) => of(id).attempt,
    status: (id: string) => of(id).status,
    accepted: () => [...states].filter(([, { status }]) => status === "ACCEPTED").map(([id]) => id),
    statuses: () => Object.fromEntries([...states].map(([id, { status }]) => [id, status])),
    firstChange: () => [...states.values()].flatMap(({ times }) => times.first_code_change_at ?? []).sort()[0] ?? null,
    stamp(now: string) {
      for (const { id, stamp } of due.splice(0)) of(id).times[stamp] ??= now;
    },
    /** Returns the content of `tasks.yaml`. */
    file: (): Tasks => ({ ...tasks, tasks: tasks.tasks.map((task) => entryOf(task, of(task.id))) }),
  };
}

const fresh = (accepted: boolean): State => ({
  status: accepted ? "ACCEPTED" : "PENDING",
  attempt: 0,
  note: "",
  times: {},
});

function entryOf(task: Task, { status, attempt, note, times }: State): Task {
  return { ...task, status, attempt, ...times, ...(note === "" ? {} : { validation_details: note }) };
}
