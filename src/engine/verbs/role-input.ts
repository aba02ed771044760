import type { Role } from "../../core/authoring/role.ts";
import { show } from "../../core/contract/problem.ts";
import { SignalboxError } from "../../core/failure/errors.ts";

/** Returns the input as the schema of the role transforms it. Throws ROLE_INPUT_INVALID, naming role and field. */
export function parseRoleInput({ name, input: schema }: Pick<Role, "name" | "input">, given: unknown): unknown {
  if (!schema) return given;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const field = path.map(String).join(".") || "the input";
    const expected = message.replace(/^Invalid input: /, "").replace(/, received .*$/, "");
    return `${field}: ${expected}, found ${show(getAtPath(given, path))}`;
  });
  throw new SignalboxError(
    "ROLE_INPUT_INVALID",
    `Invalid input for the role ${name}. ${problems.join("; ")}`,
    "Pass what its `input` declares, or change the declaration, then resume the run. Nothing was dispatched.",
  );
}

function getAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[String(key)] : undefined), value);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
