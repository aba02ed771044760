import type { z } from "zod";
import { asMeant } from "../../../core/contract/adapt-value.ts";
import { problemsOf } from "../../../core/contract/problem.ts";
import { shapeOf } from "../../../core/contract/shape.ts";
import type { Json } from "../../../core/text/json.ts";
import { readYaml as readOutsideYaml } from "../../../core/text/outside-yaml.ts";

export type YamlReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses a YAML file with its schema, or lists every problem: item, field, expected, found. */
export function readYaml<T>(text: string, schema: z.ZodType<T>): YamlReading<T> {
  const parsed = readOutsideYaml(text);
  if (!parsed.ok) return { ok: false, problems: [`expected YAML, found: ${parsed.problem}`] };
  // Plain YAML data is JSON and is read as leniently as an answer.
  const value = asMeant(parsed.value as Json, shapeOf(schema));
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, value: read.data };
  const problems = problemsOf(read.error, value);
  return {
    ok: false,
    problems: problems.map(
      ({ field, expected, found }) => `${withIds(field, value)}: expected ${expected}, found ${found}`,
    ),
  };
}

/** Adds the task id to a problem's path, because people search by id. */
function withIds(field: string, value: unknown): string {
  return field.replace(/^tasks\[(\d+)\]/, (whole, at: string) => {
    const id = getTaskId(value, Number(at));
    return id === undefined ? whole : `${whole} (${id})`;
  });
}

function getTaskId(value: unknown, at: number): string | undefined {
  if (typeof value !== "object" || value === null || !("tasks" in value) || !Array.isArray(value.tasks))
    return undefined;
  const task: unknown = value.tasks[at];
  return typeof task === "object" && task !== null && "id" in task ? String(task.id) : undefined;
}
