import type { Json } from "../text/json.ts";
import type { Dialect } from "./dialect.ts";
import { textOf } from "./form/markdown-form.ts";
import { isNested, itemOf, membersOf, sampleOf, wordsOf } from "./form/sample.ts";
import { type Problem, placeFound, UNFILLED } from "./problem.ts";
import type { Field, Shape } from "./shape.ts";

/**
 * Finds placeholders of the form that were returned unchanged, in any field: a choice, a number or a text that was not
 * filled in.
 */
export function unfilledIn(value: Json, shape: Shape, dialect: Dialect): readonly Problem[] {
  const placeOf = dialect === "markdown" ? textOf : ({ shape }: Field, words: string) => sampleOf(shape, words).text;
  const within = (inner: Json, field: Field, { path, words }: Position): readonly Problem[] => {
    if (typeof inner === "string") {
      const isPlace = !isFixed(field.shape, inner) && squeezed(inner) === squeezed(placeOf(field, words));
      return isPlace && !isNested(field.shape) ? [{ field: path, ...UNFILLED, found: placeFound(inner) }] : [];
    }
    if (Array.isArray(inner)) {
      const item = itemOf(field);
      return inner.flatMap((each: Json, at) => within(each, item, { path: `${path}[${at}]`, words }));
    }
    const members = new Map(membersOf(field.shape));
    return Object.entries(inner ?? {}).flatMap(([name, each]) => {
      const member = members.get(name) ?? members.get("<name>");
      return member ? within(each, member, { path: path === "" ? name : `${path}.${name}`, words: wordsOf(name) }) : [];
    });
  };
  return within(value, { shape, required: true }, { path: "", words: "text" });
}

type Position = { readonly path: string; readonly words: string };

/** The only valid word is shown in the form because it is the answer. */
const isFixed = ({ options }: Shape, text: string): boolean => options.some((option) => String(option) === text);

const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();
