import type { Json } from "../text/json.ts";
import { type Problem, show } from "./problem.ts";
import type { Shape } from "./shape.ts";

/** Nobody means these as an answer, wherever they stand alone. */
const EMPTY_HANDED: ReadonlySet<string> = new Set(["todo", "tbd", "tba", "fixme", "xxx", "placeholder", "lorem ipsum"]);
/** These may be a path or a name in a list; as a whole required text they say nothing. */
const VAGUE: ReadonlySet<string> = new Set(["test", "testing", "string", "text", "example", "sample", "foo", "bar"]);

/**
 * Required texts whose whole value is a placeholder: the answer fits its schema and says nothing.
 * @rule A-11 (policy) An answer that gives back the example or says only a placeholder is no answer.
 */
export function placeholdersIn(value: Json, shape: Shape): readonly Problem[] {
  return within({ value, shape, field: "", listed: false });
}

type ValuePosition = {
  readonly value: Json | undefined;
  readonly shape: Shape;
  readonly field: string;
  readonly listed: boolean;
};

function within({ value, shape, field, listed }: ValuePosition): readonly Problem[] {
  if (typeof value === "string") {
    const empty = shape.freeText && isPlaceholder(value, listed);
    return empty ? [{ field, expected: "an answer", found: `the placeholder ${show(value)}` }] : [];
  }
  if (isList(value)) {
    const items = shape.items();
    return value.flatMap((item, at) => within({ value: item, shape: items, field: `${field}[${at}]`, listed: true }));
  }
  if (typeof value !== "object" || value === null) return [];
  const fields = shape.fields();
  const values = shape.values();
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fields.get(name);
    const member = known ? (known.required ? known.shape : undefined) : values;
    const place = field === "" ? name : `${field}.${name}`;
    return member ? within({ value: inner, shape: member, field: place, listed: false }) : [];
  });
}

function isPlaceholder(value: string, listed: boolean): boolean {
  const text = value.trim().toLowerCase();
  if (EMPTY_HANDED.has(text) || (!listed && VAGUE.has(text))) return true;
  return /^(?:[.…?]+|<[^<>]*>)$/.test(text);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
