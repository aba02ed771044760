import { z } from "zod";
import { Announcement, type SourcedAnnouncement } from "../../../core/authoring/announcement.ts";
import { waves } from "../../../core/authoring/waves.ts";
import { WORK_KINDS } from "../../work-kind.ts";
import { READ_FIELDS, SHOWN_FIELDS } from "../contracts.ts";
import {
  createLenientContract,
  type Fields,
  getFirstText,
  Texts,
  toFields,
  toList,
  toText,
} from "../documents/lenient-schema.ts";
import { Kind, RISKS, Risk } from "../documents/spellings.ts";

/** A task: its changes, its risk and its dependencies. */
export const Task = z.object({
  id: z.string().min(1),
  title: z.string(),
  description: z.string().optional(),
  size: z.enum(["Standard", "Large"]),
  risk: Risk,
  depends_on: z.array(z.string()),
  acceptance_criteria: Texts,
  files: z.array(z.string().refine(isInside, { error: "a path inside the repository" })).min(1),
  /** Configured checks that the task needs. */
  checks: Texts,
  /** Undefined if nobody stated the kind. */
  kind: Kind.optional(),
  /** Declared behaviour changes; the tests that assert the old behaviour may fail. */
  behaviour_changes: z.array(Announcement).optional(),
  relevant_context: z.unknown().optional(),
});
export type Task = z.infer<typeof Task>;

export const Plan = createLenientContract(
  z.object({
    ...SHOWN_FIELDS,
    tasks: z.array(
      z.object({
        // Patterns, because a task may be called "test", which is otherwise a placeholder.
        id: z.string().regex(/\S/).describe("short, letters, digits and dashes"),
        title: z.string().regex(/\S/).describe("what it does, in a few words"),
        size: z.enum(["Standard", "Large"]).describe("Large from about three production files or 500 lines"),
        risk: z.enum(["🟢", "🟡", "🔴"]).describe("🟡 changes behaviour, 🔴 security, stored data, public interfaces"),
        depends_on: z.array(z.string().describe("id of a task that must finish first")),
        acceptance_criteria: z.array(z.string().describe("from the specification, clear without context")),
        files: z.array(z.string().describe("path or glob that the task may change, its tests included")),
        checks: z.array(z.string().describe("name of a check that the task needs")).optional(),
        kind: z.enum(WORK_KINDS).describe("a fix or a feature needs a test that fails without it").optional(),
        behaviour_changes: z
          .array(
            z.object({
              was: z.string().describe("what it does today"),
              becomes: z.string().describe("what it will do"),
              tests: z.array(z.string().describe("test that asserts the old behaviour: file › title, or a glob")),
              criterion: z.string().describe("the acceptance criterion that asks for it").optional(),
            }),
          )
          .describe("existing behaviour that the request changes")
          .optional(),
        relevant_context: z
          .object({
            design_sections: z.array(z.string().describe("D-1, …")),
            spec_requirements: z.array(z.string().describe("FR-1, …")),
          })
          .describe("the decisions and requirements that it serves")
          .optional(),
      }),
    ),
  }),
  z.preprocess(
    (value) => ({ ...toFields(value), tasks: parseTasks(toFields(value)) }),
    z.looseObject({ ...READ_FIELDS, tasks: z.array(Task).min(1).superRefine(refuseImpossible) }),
  ),
);

/** Reads `tasks`, or the tasks inside the waves. */
function parseTasks(plan: Fields): readonly unknown[] {
  const tasks = toList(plan["tasks"]);
  const inWaves = toList(plan["waves"]).flatMap((wave) => toList(toFields(wave)["tasks"]));
  const given = tasks.length > 0 ? tasks : inWaves.filter((task) => typeof task === "object");
  return given.map(parseTask);
}

function parseTask(value: unknown): Fields {
  const fields = toFields(value);
  const context = toFields(fields["relevant_context"]);
  const id = toTaskName(getFirstText(value, "id", "task_id") ?? "");
  const files = [fields, context].flatMap((each) =>
    ["files", "files_to_modify", "files_to_create"].flatMap((name) => toList(each[name]).map(normalizePath)),
  );
  return {
    id,
    title: getFirstText(value, "title", "name") ?? id,
    ...(fields["description"] === undefined ? {} : { description: toText(fields["description"]) }),
    size: /^l(arge)?$/i.test(getFirstText(value, "size") ?? "") ? "Large" : "Standard",
    risk: fields["risk"] ?? fields["risk_level"] ?? "🟢",
    depends_on: toList(fields["depends_on"] ?? fields["dependencies"]).map((each) => toTaskName(toText(each))),
    acceptance_criteria: fields["acceptance_criteria"],
    files: [...new Set(files)],
    checks: fields["checks"] ?? fields["required_checks"],
    ...(getFirstText(value, "kind") === undefined ? {} : { kind: fields["kind"] }),
    ...parseAnnouncements(fields["behaviour_changes"] ?? fields["behavior_changes"]),
    ...(fields["relevant_context"] === undefined ? {} : { relevant_context: fields["relevant_context"] }),
  };
}

/** Reads the behaviour changes. An entry without `was`, `becomes` or `tests` makes the plan invalid. */
function parseAnnouncements(value: unknown): { behaviour_changes?: readonly Fields[] } {
  const changes = toList(value).map((change) => {
    const { was, becomes, tests } = toFields(change);
    const criterion = getFirstText(change, "criterion");
    return { was, becomes, tests: toList(tests).map(toText), ...(criterion === undefined ? {} : { criterion }) };
  });
  return changes.length > 0 ? { behaviour_changes: changes } : {};
}

/** Returns all behaviour changes of the plan. */
export const collectAnnouncements = (
  tasks: readonly Pick<Task, "id" | "behaviour_changes">[],
): readonly SourcedAnnouncement[] =>
  tasks.flatMap(({ id, behaviour_changes = [] }) =>
    behaviour_changes.map((each) => ({ ...each, from: `task ${id} of the plan` })),
  );

const normalizePath = (value: unknown): string =>
  (typeof value === "string" ? value : (getFirstText(value, "path", "file") ?? "")).trim().replace(/^\.\//, "");

/** Cleans an id, because it is used in file names and step keys. */
const toTaskName = (id: string): string =>
  id
    .trim()
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "");

function isInside(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
}

function refuseImpossible(tasks: readonly Task[], context: z.core.$RefinementCtx<readonly Task[]>): void {
  const message = findPlanProblem(tasks);
  if (message !== undefined) context.addIssue({ code: "custom", message });
}

function findPlanProblem(tasks: readonly Task[]): string | undefined {
  const ids = tasks.map((task) => task.id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `tasks with different ids, not two named ${twice}`;
  try {
    waves(tasks);
    return undefined;
  } catch {
    return "tasks without circular dependencies";
  }
}

/** @rule L-12 (policy) A plan consists of tasks in waves and is as risky as its riskiest task. */
export function getOverallRisk(tasks: readonly Pick<Task, "risk">[]): Risk {
  return RISKS[Math.max(0, ...tasks.map((task) => RISKS.indexOf(task.risk)))] ?? "🟢";
}

/** Orders the tasks into waves by dependency. */
export function orderWaves(
  tasks: readonly Task[],
): readonly { readonly id: string; readonly tasks: readonly string[] }[] {
  return waves(tasks).map((wave, at) => ({ id: `wave-${at + 1}`, tasks: wave.map(({ id }) => id) }));
}
