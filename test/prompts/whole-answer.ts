import { isList, isNested, listMembers } from "../../src/core/contract/form/sample.ts";
import type { Field, Shape } from "../../src/core/contract/shape.ts";
import type { Json } from "../../src/core/text/json.ts";

/** Creates an answer with every field of a contract's form; lists have two items with different texts. */
export function wholeAnswer(shape: Shape, at = "all"): Json {
  if (isList(shape)) return ["first", "second"].map((item) => wholeAnswer(shape.items(), `${at} ${item}`));
  const members = listMembers(shape);
  if (members.length > 0) {
    return Object.fromEntries(members.map(([name, field]) => [name, wholeAnswer(field.shape, `${at} ${name}`)]));
  }
  return isNested(shape) ? {} : createScalar(shape, at);
}

function createScalar({ kinds, options, range }: Shape, at: string): Json {
  const [first] = options;
  if (first !== undefined) return first;
  // Three words joined like a name, because some texts are names.
  if (kinds.has("string") || kinds.has("any")) return `said_of_${at.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}`;
  if (kinds.has("number")) return range.least ?? 1;
  return kinds.has("boolean") ? false : null;
}

export type FormField = {
  readonly path: readonly string[];
  readonly field: Field;
  /** True if an enclosing field also accepts another form. */
  readonly lenient: boolean;
};

/** Lists every field of a form, including those in lists and objects. */
export function formFields(shape: Shape, path: readonly string[] = []): readonly FormField[] {
  const lenient = shape.kinds.has("any");
  return listMembers(shape).flatMap(([name, field]) => {
    const here = [...path, name];
    const below = formFields(isList(field.shape) ? field.shape.items() : field.shape, here);
    return [{ path: here, field, lenient }, ...below.map((each) => ({ ...each, lenient: lenient || each.lenient }))];
  });
}

/** Returns the answer without this field, in every item of a list. */
export function without(answer: Json, [name = "", ...rest]: readonly string[]): Json {
  if (Array.isArray(answer)) return answer.map((item: Json) => without(item, [name, ...rest]));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([key, inner]): [string, Json][] => {
      if (inner === undefined || (key === name && rest.length === 0)) return [];
      return [[key, key === name ? without(inner, rest) : inner]];
    }),
  );
}
