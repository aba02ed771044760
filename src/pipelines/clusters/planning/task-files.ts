import { z } from "zod";
import { Announcement } from "../../../core/authoring/announcement.ts";
import { waves } from "../../../core/authoring/waves.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import { WORK_KINDS, type WorkKind } from "../../work-kind.ts";
import { extractSection } from "../building/findings.ts";
import { readPlanFile } from "./plan-file.ts";
import { parseTaskFields, type TaskFields } from "./task-fields.ts";
import { createTaskResolver, MOST_NAME, parseTaskIds } from "./task-names.ts";

export const TASK_AGENTS = ["implementer", "documentation-writer"] as const;
export type TaskAgent = (typeof TASK_AGENTS)[number];

const name = z.string().regex(/^[\w.-]+$/, { error: "expected letters, digits, dots, dashes and underscores" });
const NONE: readonly unknown[] = [null, undefined, "", "none", "None"];
/** Accepts a list or one line: `01-a, 02-b`. */
const splitList = (value: unknown): unknown =>
  typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value;
const list = z.preprocess((value) => (NONE.includes(value) ? [] : splitList(value)), z.array(z.string().min(1)));
/** Accepts a list of task ids; each may be followed by a reason. */
const parseIdList = (value: unknown): unknown => (typeof value === "string" ? parseTaskIds(value) : value);
const needs = z.preprocess(
  (value) => (NONE.includes(value) ? [] : Array.isArray(value) ? value.flatMap(parseIdList) : parseIdList(value)),
  z.array(z.string().min(1)),
);

const KIND = z.enum(WORK_KINDS, { error: `expected ${WORK_KINDS.join(", ")}` });
const normalizeWord = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);
/** Accepts a single test as a list of one. Titles contain spaces, so it is not split. */
const toList = (value: unknown): unknown => (typeof value === "string" ? [value] : value);
const Change = z.object({ ...Announcement.shape, tests: z.preprocess(toList, Announcement.shape.tests) });

/** Front matter of a task file. */
export const TaskFront = z.object({
  id: name,
  /** Checked separately, because an unknown agent is only a warning. */
  agent: z.string().optional(),
  depends_on: needs,
  /** Files that the task leaves, new or changed. */
  files: list,
  /** Files that the task removes. */
  deletes: list,
  /** Undefined if nobody stated the kind. */
  kind: z.preprocess((value) => (NONE.includes(value) ? undefined : normalizeWord(value)), KIND.optional()),
  /** Declared behaviour changes; the tests that assert the old behaviour may fail. */
  behaviour_changes: z.preprocess((value) => (NONE.includes(value) ? undefined : value), z.array(Change).optional()),
});

export type Task = {
  readonly id: string;
  /** Path of the task file. */
  readonly path: string;
  readonly agent: TaskAgent;
  readonly depends_on: readonly string[];
  readonly files: readonly string[];
  readonly deletes: readonly string[];
  readonly kind?: WorkKind | undefined;
  readonly behaviour_changes?: readonly Announcement[] | undefined;
};

export type Waves = readonly (readonly Task[])[];
export type ParsedPlan = {
  readonly tasks: readonly Task[];
  readonly waves: Waves;
  readonly warnings: readonly string[];
  /** Problems, each with file, field, expected and actual value. A plan with problems is not executed. */
  readonly problems: readonly string[];
};
export type TaskText = { readonly path: string; readonly text: string };
export type PlanText = {
  readonly plan: string;
  readonly files: readonly TaskText[];
  /** Ids of existing tasks that the new tasks may depend on. */
  readonly known?: readonly string[];
};

/** Parses a plan: tasks from their files, waves from `plan.md` and the dependencies. */
export function readPlan({ plan, files, known = [] }: PlanText): ParsedPlan {
  const read = files.map(readTask);
  const found = read.flatMap((each) => (each.task ? [each.task] : []));
  const ids = [...known, ...found.map(({ id }) => id)];
  const tasks = found.map((task) => ({ ...task, depends_on: task.depends_on.map(createTaskResolver(ids)) }));
  const order = readPlanFile(plan, ids);
  const unread = read.flatMap((each) => each.problems);
  // A replan may keep the waves of the previous plan.
  const left = known.length > 0 ? [] : tasks.filter(({ id }) => order.misses(id)).map(describeUnplacedTask);
  const problems = [
    ...unread,
    ...findRepeatedIds(tasks),
    ...findUnknownDependencies(tasks, new Set(ids)),
    // Unreadable files would be reported as missing a second time.
    ...(unread.length > 0 ? [] : [...order.problems, ...left]),
  ];
  const warnings = read.flatMap((each) => each.warnings);
  if (problems.length > 0) return { tasks, waves: [], warnings, problems };
  try {
    const ordered = waves(
      tasks.map((task) => ({ ...task, depends_on: [...task.depends_on, ...order.before(task.id)] })),
    );
    const byId = new Map(tasks.map((task) => [task.id, task]));
    return { tasks, waves: ordered.map((wave) => wave.flatMap(({ id }) => byId.get(id) ?? [])), warnings, problems };
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return { tasks, waves: [], warnings, problems: [`plan.md: depends_on: ${error.message}`] };
  }
}

/** Returns the ids of tasks that a report lists as failing or in its action items. */
export function findFailingTasks(report: string, tasks: readonly Pick<Task, "id">[]): string[] {
  const text = [extractSection(report, "Failing Task"), extractSection(report, "Actionable Items")].join("\n");
  const named = (text.match(/[\w.-]+/g) ?? []).filter((word) => word.length <= MOST_NAME);
  const words = new Set(named.map((word) => word.replace(/[.-]+$/, "").replace(/\.md$/, "")));
  return tasks.filter(({ id }) => words.has(id)).map(({ id }) => id);
}

const describeUnplacedTask = ({ path, id }: Task): string =>
  `${path}: expected ${id} in one of the waves of plan.md, found it in none`;

type ParsedTask = { readonly task?: Task; readonly warnings: readonly string[]; readonly problems: readonly string[] };

export function readTask({ path, text }: TaskText): ParsedTask {
  const id = path.split("/").at(-1)?.replace(/\.md$/, "") ?? path;
  const front = parseTaskFields(text);
  if (front.problem) return { warnings: [], problems: [`${path}: front matter: ${front.problem}`] };
  const parsed = TaskFront.safeParse({ id, ...front.fields });
  if (!parsed.success)
    return { warnings: [], problems: parsed.error.issues.map((issue) => formatIssue(path, front, issue)) };
  const { agent, kind, behaviour_changes, ...rest } = parsed.data;
  const known = TASK_AGENTS.find((each) => each === agent?.trim().toLowerCase());
  const warning = agent === undefined || known ? [] : [`${path}: unknown agent "${agent}"; using implementer`];
  const said = { ...(kind && { kind }), ...(behaviour_changes && { behaviour_changes }) };
  return { task: { ...rest, ...said, path, agent: known ?? "implementer" }, warnings: warning, problems: [] };
}

function formatIssue(path: string, { fields }: TaskFields, issue: z.core.$ZodIssue): string {
  const field = issue.path.join(".");
  const found = issue.path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    fields,
  );
  const expected = issue.message.replace(/^Invalid input: /, "").replace(/, received .*$/, "");
  return `${path}: ${field}: ${expected}, found ${JSON.stringify(found) ?? "nothing"}`;
}

function findRepeatedIds(tasks: readonly Task[]): string[] {
  return tasks
    .filter((task, at) => tasks.findIndex(({ id }) => id === task.id) !== at)
    .map((task) => `${task.path}: id: expected a unique id, found "${task.id}" a second time`);
}

function findUnknownDependencies(tasks: readonly Task[], known: ReadonlySet<string>): string[] {
  return tasks.flatMap((task) =>
    task.depends_on
      .filter((id) => !known.has(id))
      .map((id) => `${task.path}: depends_on: expected the id of a task, found "${id}"`),
  );
}
