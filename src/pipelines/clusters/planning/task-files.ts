import { z } from "zod";
import { Announcement } from "../../core/announcement.ts";
import { SignalboxError } from "../../core/errors.ts";
import { readYaml } from "../../core/outside-yaml.ts";
import { waves } from "../../core/waves.ts";
import { WORK_KINDS, type WorkKind } from "../work-kind.ts";
import { sectionOf, unfenced } from "./findings.ts";
import { readPlanFile } from "./plan-file.ts";

export const TASK_AGENTS = ["implementer", "documentation-writer"] as const;
export type TaskAgent = (typeof TASK_AGENTS)[number];

const name = z.string().regex(/^[\w.-]+$/, { error: "expected letters, digits, dots, dashes and underscores" });
const NONE: readonly unknown[] = [null, undefined, "", "none", "None"];
/** A list, or the same on one line: `01-a, 02-b`. */
const inLine = (value: unknown): unknown => (typeof value === "string" ? value.split(/[\s,]+/).filter(Boolean) : value);
const list = z.preprocess((value) => (NONE.includes(value) ? [] : inLine(value)), z.array(z.string().min(1)));

const KIND = z.enum(WORK_KINDS, { error: `expected ${WORK_KINDS.join(", ")}` });
const asWord = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);
/** One test stands for a list of it: titles have spaces in them. */
const asList = (value: unknown): unknown => (typeof value === "string" ? [value] : value);
const Change = z.object({ ...Announcement.shape, tests: z.preprocess(asList, Announcement.shape.tests) });

/** What a task file says of itself between its two `---` lines. */
export const TaskFront = z.object({
  id: name,
  /** Checked apart: an unknown agent is a warning. */
  agent: z.string().optional(),
  depends_on: list,
  /** What it leaves behind, new or changed. */
  files: list,
  /** What it takes away. */
  deletes: list,
  /** Absent: nobody said what it is. */
  kind: z.preprocess((value) => (NONE.includes(value) ? undefined : asWord(value)), KIND.optional()),
  /** What will be different on purpose: the tests that say the old thing may then fail. */
  behaviour_changes: z.preprocess((value) => (NONE.includes(value) ? undefined : value), z.array(Change).optional()),
});

export type Task = {
  readonly id: string;
  /** Of its own file. */
  readonly path: string;
  readonly agent: TaskAgent;
  readonly depends_on: readonly string[];
  readonly files: readonly string[];
  readonly deletes: readonly string[];
  readonly kind?: WorkKind | undefined;
  readonly behaviour_changes?: readonly Announcement[] | undefined;
};

export type Waves = readonly (readonly Task[])[];
export type PlanRead = {
  readonly tasks: readonly Task[];
  readonly waves: Waves;
  readonly warnings: readonly string[];
  /** Each with file, field, what was expected and what was found; such a plan is not carried out. */
  readonly problems: readonly string[];
};
export type TaskText = { readonly path: string; readonly text: string };
export type PlanText = {
  readonly plan: string;
  readonly files: readonly TaskText[];
  /** Ids of tasks that are there already: those may be depended on. */
  readonly known?: readonly string[];
};

/** The plan as the engine understands it: tasks from their files, waves from `plan.md` and the dependencies. */
export function readPlan({ plan, files, known = [] }: PlanText): PlanRead {
  const read = files.map(readTask);
  const tasks = read.flatMap((each) => (each.task ? [each.task] : []));
  const ids = [...known, ...tasks.map(({ id }) => id)];
  const order = readPlanFile(plan, ids);
  const unread = read.flatMap((each) => each.problems);
  const problems = [
    ...unread,
    ...repeated(tasks),
    ...unknownDependencies(tasks, new Set(ids)),
    // Files that could not be read would be missed a second time.
    ...(unread.length > 0 ? [] : order.problems),
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

/** Ids of tasks that a report calls failing: from its list of them, and from what it asks to be done. */
export function failingIn(report: string, tasks: readonly Pick<Task, "id">[]): string[] {
  const text = [sectionOf(report, "Failing Task"), sectionOf(report, "Actionable Items")].join("\n");
  const named = (text.match(/[\w.-]+/g) ?? []).filter((word) => word.length <= MOST_NAME);
  const words = new Set(named.map((word) => word.replace(/[.-]+$/, "").replace(/\.md$/, "")));
  return tasks.filter(({ id }) => words.has(id)).map(({ id }) => id);
}

/** A task is a file. */
const MOST_NAME = 255;

type Read = { readonly task?: Task; readonly warnings: readonly string[]; readonly problems: readonly string[] };

export function readTask({ path, text }: TaskText): Read {
  const id = path.split("/").at(-1)?.replace(/\.md$/, "") ?? path;
  const front = frontOf(text);
  if (front.problem) return { warnings: [], problems: [`${path}: front matter: ${front.problem}`] };
  const parsed = TaskFront.safeParse({ id, ...front.fields });
  if (!parsed.success) return { warnings: [], problems: parsed.error.issues.map((issue) => told(path, front, issue)) };
  const { agent, kind, behaviour_changes, ...rest } = parsed.data;
  const known = TASK_AGENTS.find((each) => each === agent?.trim().toLowerCase());
  const warning = agent === undefined || known ? [] : [`${path}: unknown agent "${agent}", implementer is used`];
  const said = { ...(kind && { kind }), ...(behaviour_changes && { behaviour_changes }) };
  return { task: { ...rest, ...said, path, agent: known ?? "implementer" }, warnings: warning, problems: [] };
}

type Front = { readonly fields: Readonly<Record<string, unknown>>; readonly problem?: string };

/** Front matter, or else lines such as `depends_on: 01-greet` and `**Agent:** documentation-writer` in the text. */
function frontOf(text: string): Front {
  const [, block] = /^---\r?\n([\s\S]*?)\r?\n?---\s*(?:\r?\n|$)/.exec(text) ?? [];
  if (block === undefined) return { fields: linesOf(text) };
  // Everything is text: `01` is a name here, not a number.
  const read = readYaml(block, { schema: "failsafe" });
  if (!read.ok) return { fields: {}, problem: `expected YAML, found: ${read.problem}` };
  const value = read.value ?? {};
  if (typeof value === "object" && !Array.isArray(value)) return { fields: { ...value } };
  return { fields: {}, problem: `expected a mapping, found ${Array.isArray(value) ? "a list" : typeof value}` };
}

/** In a sentence only what begins with a number is surely a task. */
const numbered = (said: string | undefined): string[] | undefined => said?.match(/\b\d+[-_][\w.-]*\w/g) ?? undefined;

function linesOf(text: string): Record<string, unknown> {
  const field = (key: string): string | undefined =>
    new RegExp(`^[ \\t*_>-]*${key}[ \\t*_]*:[ \\t*_]*(.+)$`, "im").exec(unfenced(text).join("\n"))?.[1]?.trim();
  const items = (key: string): string[] | undefined => {
    const said = field(key)?.replace(/^\[|\]$/g, "");
    if (said === undefined) return undefined;
    return /^(none|n\/?a|-)?$/i.test(said) ? [] : said.split(/[\s,]+/).map((item) => item.replace(/[`"']/g, ""));
  };
  const agent = field("agent")?.replace(/[`"'*]/g, "");
  const kind = KIND.safeParse(asWord(field("kind")?.replace(/[`"'*]/g, ""))).data;
  const [depends_on, files, deletes] = [
    items("depends_on") ?? numbered(field("depends on")),
    items("files"),
    items("deletes"),
  ];
  return {
    ...(agent && { agent }),
    ...(kind && { kind }),
    ...(depends_on && { depends_on }),
    ...(files && { files }),
    ...(deletes && { deletes }),
  };
}

function told(path: string, { fields }: Front, issue: z.core.$ZodIssue): string {
  const field = issue.path.join(".");
  const found = issue.path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    fields,
  );
  const expected = issue.message.replace(/^Invalid input: /, "").replace(/, received .*$/, "");
  return `${path}: ${field}: ${expected}, found ${JSON.stringify(found) ?? "nothing"}`;
}

function repeated(tasks: readonly Task[]): string[] {
  return tasks
    .filter((task, at) => tasks.findIndex(({ id }) => id === task.id) !== at)
    .map((task) => `${task.path}: id: expected an id of its own, found "${task.id}" a second time`);
}

function unknownDependencies(tasks: readonly Task[], known: ReadonlySet<string>): string[] {
  return tasks.flatMap((task) =>
    task.depends_on
      .filter((id) => !known.has(id))
      .map((id) => `${task.path}: depends_on: expected the id of a task, found "${id}"`),
  );
}
