import type { Field, Shape } from "../shape.ts";
import { dueOf, exampleOf, isList, itemOf, meaningBeside, membersOf, sampleOf, wordsOf } from "./sample.ts";

/** Renders one bullet for each field, under its title. */
export function markdownForm(shape: Shape, titleOf: (name: string) => string): readonly string[] {
  return membersOf(shape).flatMap(([name, field]) => {
    if (!isList(field.shape)) return [`- ${titleOf(name)}: ${textOf(field, wordsOf(name))}`];
    const item = itemOf(field);
    return [`- ${titleOf(name)}:`, `  - ${textOf({ ...field, shape: item.shape }, wordsOf(name))}`];
  });
}

/** Renders the meanings of options and of objects, which do not fit beside the fields. */
export function markdownNotes(shape: Shape, titleOf: (name: string) => string): readonly string[] {
  return membersOf(shape).flatMap(([name, { shape: member }]) => {
    const meaning = isNumber(member) ? undefined : meaningBeside(member);
    return meaning === undefined ? [] : [`- ${titleOf(name)}: ${meaning.replace(/\s+/g, " ")}`];
  });
}

/**
 * Renders the placeholder of a field. Markdown has no comments, so "optional" is part of the placeholder or follows the
 * options.
 */
export function textOf(field: Field, words: string): string {
  const { shape } = field;
  const due = dueOf(field);
  const place = shape.kinds.has("object") ? JSON.stringify(exampleOf(field, words)) : placeOf(shape, words);
  if (due === "") return place;
  return place.startsWith("<") ? `<${due}: ${place.slice(1)}` : `${place} <${due}>`;
}

function placeOf(shape: Shape, words: string): string {
  const { text } = sampleOf(shape, words);
  const meaning = isNumber(shape) ? meaningBeside(shape) : undefined;
  return meaning === undefined ? text : `${text.slice(0, -1)}: ${meaning}>`;
}

const isNumber = ({ kinds, options }: Shape): boolean => kinds.has("number") && options.length === 0;
