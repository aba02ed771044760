import { z } from "zod";
import { waves } from "../../core/waves.ts";
import { completion, said } from "./contracts.ts";
import { contract, type Fields, fieldsOf, firstText, listOf, Texts, textOf } from "./loose.ts";
import { Risk } from "./words.ts";

/** One piece of work: what it changes, how dangerous it is, and what must be there before it. */
export const Task = z.object({
  id: z.string().min(1),
  title: z.string(),
  description: z.string().optional(),
  size: z.enum(["Standard", "Large"]),
  risk: Risk,
  depends_on: z.array(z.string()),
  acceptance_criteria: Texts,
  files: z.array(z.string().refine(isInside, { error: "a path inside the repository" })).min(1),
  /** Names of configured checks without which the task cannot be judged. */
  checks: Texts,
  relevant_context: z.unknown().optional(),
});
export type Task = z.infer<typeof Task>;

export const Plan = contract(
  z.object({
    ...completion,
    tasks: z.array(
      z.object({
        // Patterns, because a task may well be called "test": its name is not what it says.
        id: z.string().regex(/\S/).describe("short, letters, digits and dashes"),
        title: z.string().regex(/\S/).describe("what it does, in a few words"),
        size: z.string().describe("Standard or Large"),
        risk: z.string().describe("🟢, 🟡 or 🔴"),
        depends_on: z.array(z.string().describe("id of another task")),
        acceptance_criteria: z.array(z.string()),
        files: z.array(z.string().describe("path or glob that the task may change")),
        checks: z.array(z.string().describe("name of a check that the task cannot do without")).optional(),
        relevant_context: z
          .object({ design_sections: z.array(z.string()), spec_requirements: z.array(z.string()) })
          .optional(),
      }),
    ),
  }),
  z.preprocess(
    (value) => ({ ...fieldsOf(value), tasks: tasksIn(fieldsOf(value)) }),
    z.looseObject({ ...said, tasks: z.array(Task).min(1).superRefine(refuseImpossible) }),
  ),
);

/** `tasks`, or the tasks that stand in the waves themselves. */
function tasksIn(plan: Fields): readonly unknown[] {
  const tasks = listOf(plan["tasks"]);
  const inWaves = listOf(plan["waves"]).flatMap((wave) => listOf(fieldsOf(wave)["tasks"]));
  const given = tasks.length > 0 ? tasks : inWaves.filter((task) => typeof task === "object");
  return given.map(taskOf);
}

function taskOf(value: unknown): Fields {
  const fields = fieldsOf(value);
  const context = fieldsOf(fields["relevant_context"]);
  const id = nameOf(firstText(value, "id", "task_id") ?? "");
  const files = [fields, context].flatMap((each) =>
    ["files", "files_to_modify", "files_to_create"].flatMap((name) => listOf(each[name]).map(pathOf)),
  );
  return {
    id,
    title: firstText(value, "title", "name") ?? id,
    ...(fields["description"] === undefined ? {} : { description: textOf(fields["description"]) }),
    size: /^l(arge)?$/i.test(firstText(value, "size") ?? "") ? "Large" : "Standard",
    risk: fields["risk"] ?? fields["risk_level"] ?? "🟢",
    depends_on: listOf(fields["depends_on"] ?? fields["dependencies"]).map((each) => nameOf(textOf(each))),
    acceptance_criteria: fields["acceptance_criteria"],
    files: [...new Set(files)],
    checks: fields["checks"] ?? fields["required_checks"],
    ...(fields["relevant_context"] === undefined ? {} : { relevant_context: fields["relevant_context"] }),
  };
}

const pathOf = (value: unknown): string =>
  (typeof value === "string" ? value : (firstText(value, "path", "file") ?? "")).trim().replace(/^\.\//, "");

/** Ids become file names and parts of keys. */
const nameOf = (id: string): string =>
  id
    .trim()
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "");

function isInside(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
}

function refuseImpossible(tasks: readonly Task[], context: z.core.$RefinementCtx<readonly Task[]>): void {
  const message = impossible(tasks);
  if (message !== undefined) context.addIssue({ code: "custom", message });
}

function impossible(tasks: readonly Task[]): string | undefined {
  const ids = tasks.map((task) => task.id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `tasks with different ids, not two named ${twice}`;
  try {
    waves(tasks);
    return undefined;
  } catch {
    return "tasks that do not wait for each other in a circle";
  }
}
