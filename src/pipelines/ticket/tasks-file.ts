import { parse } from "yaml";
import { type Task, Tasks } from "./contracts.ts";

const MAX_TRIVIAL_FILES = 2;

export type ReadTasks =
  | { readonly ok: true; readonly tasks: Tasks }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Everything that is wrong with a tasks.yaml, or the tasks in it. */
export function readTasks(text: string | undefined): ReadTasks {
  if (text === undefined) return { ok: false, problems: ["there is no tasks.yaml"] };
  const parsed = Tasks.safeParse(yaml(text));
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) };
  }
  const problems = [...membership(parsed.data), ...dependencies(parsed.data), ...sharedFiles(parsed.data)];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, tasks: parsed.data };
}

/** One task, few files, nothing that must be tried at run time: no reviewer is needed. */
export function isTrivial({ tasks }: Pick<Tasks, "tasks">): boolean {
  const [only, ...others] = tasks;
  if (!only || others.length > 0) return false;
  return only.files_to_modify.length <= MAX_TRIVIAL_FILES && only.tool_mandates.length === 0;
}

export function writesOf(task: Task, { validation_policy }: Pick<Tasks, "validation_policy">): string[] {
  return [...task.files_to_modify, ...task.test_files, ...validation_policy.baseline_allowlist];
}

function membership({ tasks, execution_order, parallel_groups }: Tasks): string[] {
  return tasks.flatMap(({ id, parallel_group }) => {
    const entries = execution_order.filter((entry) => entry.tasks.includes(id)).length;
    const groups = Object.values(parallel_groups).filter((group) => group.includes(id)).length;
    return [
      ...(entries === 1 ? [] : [`${id} is in ${entries} entries of execution_order`]),
      ...(groups === 1 && parallel_groups[parallel_group]?.includes(id)
        ? []
        : [`${id} is not in exactly its own group`]),
    ];
  });
}

function dependencies({ tasks, execution_order }: Tasks): string[] {
  const place = (id: string) => execution_order.findIndex((entry) => entry.tasks.includes(id));
  return tasks.flatMap((task) =>
    task.depends_on
      .filter((id) => place(id) === -1 || place(id) >= place(task.id))
      .map((id) => `${task.id} depends on ${id}, which is in no earlier group`),
  );
}

function sharedFiles({ tasks, execution_order }: Tasks): string[] {
  return execution_order
    .filter((entry) => entry.strategy === "parallel")
    .flatMap((entry) => {
      const members = tasks.filter((task) => entry.tasks.includes(task.id));
      const files = members.flatMap((task) => [...new Set([...task.files_to_modify, ...task.test_files])]);
      const twice = new Set(files.filter((file, at) => files.indexOf(file) !== at));
      return [...twice].map((file) => `tasks of the parallel group ${entry.group} share ${file}`);
    });
}

function yaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
