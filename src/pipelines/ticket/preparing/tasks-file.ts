import { type Task, Tasks } from "../contracts.ts";
import { DOCS_CACHE } from "../files/documents.ts";
import { readYaml, type YamlReading } from "../files/yaml-file.ts";
import { DOCS } from "./docs.ts";

const MAX_TRIVIAL_FILES = 2;

/** Parses a tasks.yaml, or lists all of its problems. */
export function readTasks(text: string | undefined): YamlReading<Tasks> {
  if (text === undefined) return { ok: false, problems: ["expected a file, found none"] };
  const read = readYaml(text, Tasks);
  if (!read.ok) return read;
  const problems = [
    ...findRepeatedIds(read.value),
    ...checkMembership(read.value),
    ...checkDependencies(read.value),
    ...findSharedFiles(read.value),
  ];
  return problems.length > 0 ? { ok: false, problems } : read;
}

/**
 * Returns whether the plan is one small task without run-time mandates, which needs no reviewer.
 * @rule T-15 (policy) Trivial path: one task with at most two files and no mandate is auto-accepted without a Reviewer
 *   if its tests prove it; otherwise it is reviewed.
 */
export function isTrivial({ tasks }: Pick<Tasks, "tasks">): boolean {
  const [only, ...others] = tasks;
  if (!only || others.length > 0) return false;
  return only.files_to_modify.length <= MAX_TRIVIAL_FILES && only.tool_mandates.length === 0;
}

/**
 * Returns the paths that a task may write. An allowlist cannot open bookkeeping files, other roles' documents or the
 * engine's files.
 */
export function listWritablePaths(task: Task, { validation_policy }: Pick<Tasks, "validation_policy">): string[] {
  const own = listTaskFiles(task);
  const kept = [...KEPT, ...DOCS.filter((path) => !own.includes(path))].map((path) => `!${path}`);
  return [...own, ...validation_policy.baseline_allowlist.filter((path) => !path.startsWith("!")), ...kept];
}
const KEPT = ["prompts/**", ".signalbox/**", DOCS_CACHE];

export const listTaskFiles = (task: Pick<Task, "files_to_modify" | "test_files">): string[] => [
  ...new Set([...task.files_to_modify, ...task.test_files]),
];

function findRepeatedIds({ tasks }: Tasks): string[] {
  const ids = tasks.map(({ id }) => id);
  const again = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
  return [...again].map((id) => `tasks (${id}): expected one task of that id, found several`);
}

function checkMembership({ tasks, execution_order, parallel_groups }: Tasks): string[] {
  const known = new Set(tasks.map(({ id }) => id));
  const named = [...Object.values(parallel_groups).flat(), ...execution_order.flatMap((entry) => entry.tasks)];
  const strangers = new Set(named.filter((id) => !known.has(id)));
  return [
    ...[...strangers].map((id) => `parallel_groups, execution_order: expected ids of tasks, found ${id}`),
    ...tasks.flatMap(({ id, parallel_group }) => {
      const entries = execution_order.filter((entry) => entry.tasks.includes(id));
      const groups = Object.keys(parallel_groups).filter((group) => parallel_groups[group]?.includes(id));
      return [
        ...(groups.length === 1 && groups[0] === parallel_group
          ? []
          : [`parallel_groups (${id}): expected only in ${parallel_group}, found in ${formatNames(groups)}`]),
        ...(entries.length === 1 && entries[0]?.group === parallel_group
          ? []
          : [
              `execution_order (${id}): expected in the one entry of ${parallel_group}, found in ${formatNames(entries.map((entry) => entry.group))}`,
            ]),
      ];
    }),
  ];
}

const formatNames = (names: readonly string[]): string => names.join(", ") || "none";

/**
 * Validates dependencies. They may only name earlier groups, so cycles are impossible.
 * @rule T-41 (gate) Each task belongs to one group and one execution entry and depends only on tasks of earlier groups.
 */
function checkDependencies({ tasks, execution_order }: Tasks): string[] {
  const findPosition = (id: string) => execution_order.findIndex((entry) => entry.tasks.includes(id));
  return tasks.flatMap((task) =>
    task.depends_on
      .filter((id) => findPosition(id) === -1 || findPosition(id) >= findPosition(task.id))
      .map((id) => `tasks (${task.id}).depends_on: expected tasks of earlier groups, found ${id}`),
  );
}

/** @rule T-12 (gate) Tasks of a parallel group share no file. */
function findSharedFiles({ tasks, execution_order }: Tasks): string[] {
  return execution_order
    .filter((entry) => entry.strategy === "parallel")
    .flatMap((entry) => {
      const members = tasks.filter((task) => entry.tasks.includes(task.id));
      const files = members.flatMap((task) => listTaskFiles(task).map((path) => path.replace(/^\.\//, "")));
      const shared = new Set(files.filter((file, at) => files.indexOf(file) !== at));
      return [...shared].map(
        (file) => `execution_order (${entry.group}): expected tasks without common files, found ${file} in several`,
      );
    });
}
