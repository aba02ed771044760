import type { Task, TaskStatus, Tasks } from "../contracts.ts";

type TimeField = "started_at" | "first_code_change_at" | "finished_at";
type BoardState = {
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
  const states = new Map(tasks.tasks.map((task) => [task.id, createState(accepted.includes(task.id))]));
  const due: { id: string; stamp: TimeField }[] = [];
  const getState = (id: string): BoardState => states.get(id) ?? createState(false);
  const addStamp = (id: string, stamp: TimeField) => {
    if (getState(id).times[stamp] === undefined) due.push({ id, stamp });
  };
  return {
    tasks,
    begin(ids: readonly string[]) {
      for (const id of ids) {
        getState(id).attempt += 1;
        addStamp(id, "started_at");
      }
    },
    set(id: string, { status, note = "", changed = false }: { status: TaskStatus; note?: string; changed?: boolean }) {
      const state = getState(id);
      state.status = status;
      state.note = note;
      if (changed) addStamp(id, "first_code_change_at");
      if (status === "ACCEPTED") addStamp(id, "finished_at");
    },
    /** Resets the attempts when a person resumes a paused task. */
    renew(ids: readonly string[]) {
      for (const id of ids) getState(id).attempt = 0;
    },
    attempt: (id: string) => getState(id).attempt,
    status: (id: string) => getState(id).status,
    accepted: () => [...states].filter(([, { status }]) => status === "ACCEPTED").map(([id]) => id),
    statuses: () => Object.fromEntries([...states].map(([id, { status }]) => [id, status])),
    firstChange: () => [...states.values()].flatMap(({ times }) => times.first_code_change_at ?? []).sort()[0] ?? null,
    stamp(now: string) {
      for (const { id, stamp } of due.splice(0)) getState(id).times[stamp] ??= now;
    },
    /** Returns the content of `tasks.yaml`. */
    file: (): Tasks => ({ ...tasks, tasks: tasks.tasks.map((task) => toTaskEntry(task, getState(task.id))) }),
  };
}

const createState = (accepted: boolean): BoardState => ({
  status: accepted ? "ACCEPTED" : "PENDING",
  attempt: 0,
  note: "",
  times: {},
});

function toTaskEntry(task: Task, { status, attempt, note, times }: BoardState): Task {
  return { ...task, status, attempt, ...times, ...(note === "" ? {} : { validation_details: note }) };
}
