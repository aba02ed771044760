import type { Json } from "../text/json.ts";
import type { Dialect } from "./dialect.ts";
import { renderFieldPlace } from "./form/markdown-form.ts";
import { createSample, getItemField, isNested, listMembers, splitIntoWords } from "./form/sample.ts";
import { describePlaceholder, type Problem, UNFILLED } from "./problem.ts";
import type { Field, Shape } from "./shape.ts";

/**
 * Finds placeholders of the form that were returned unchanged, in any field: a choice, a number or a text that was not
 * filled in.
 */
export function findUnfilled(value: Json, shape: Shape, dialect: Dialect): readonly Problem[] {
  const placeOf =
    dialect === "markdown" ? renderFieldPlace : ({ shape }: Field, words: string) => createSample(shape, words).text;
  const findUnfilledBelow = (inner: Json, field: Field, { path, words }: FieldPosition): readonly Problem[] => {
    if (typeof inner === "string") {
      const isPlace = !isFixed(field.shape, inner) && collapseSpaces(inner) === collapseSpaces(placeOf(field, words));
      return isPlace && !isNested(field.shape) ? [{ field: path, ...UNFILLED, found: describePlaceholder(inner) }] : [];
    }
    if (Array.isArray(inner)) {
      const item = getItemField(field);
      return inner.flatMap((each: Json, at) => findUnfilledBelow(each, item, { path: `${path}[${at}]`, words }));
    }
    const members = new Map(listMembers(field.shape));
    return Object.entries(inner ?? {}).flatMap(([name, each]) => {
      const member = members.get(name) ?? members.get("<name>");
      return member
        ? findUnfilledBelow(each, member, { path: path === "" ? name : `${path}.${name}`, words: splitIntoWords(name) })
        : [];
    });
  };
  return findUnfilledBelow(value, { shape, required: true }, { path: "", words: "text" });
}

type FieldPosition = { readonly path: string; readonly words: string };

/** The only valid word is shown in the form because it is the answer. */
const isFixed = ({ options }: Shape, text: string): boolean => options.some((option) => String(option) === text);

const collapseSpaces = (text: string): string => text.replace(/\s+/g, " ").trim();
