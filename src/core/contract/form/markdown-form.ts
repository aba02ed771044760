import type { Field, Shape } from "../shape.ts";
import { dueOf, exampleOf, isFree, isList, itemOf, meaningBeside, membersOf, sampleOf, wordsOf } from "./sample.ts";

/** One bullet for each field, under its title. */
export function markdownForm(shape: Shape, titleOf: (name: string) => string): readonly string[] {
  return membersOf(shape).flatMap(([name, field]) => {
    if (!isList(field.shape)) return [`- ${titleOf(name)}: ${textOf(field, wordsOf(name))}`];
    const item = itemOf(field);
    return [`- ${titleOf(name)}:`, `  - ${textOf({ ...field, shape: item.shape }, wordsOf(name))}`];
  });
}

/** What the words to choose from mean, and objects: there is no room for it beside them. */
export function markdownNotes(shape: Shape, titleOf: (name: string) => string): readonly string[] {
  return membersOf(shape).flatMap(([name, { shape: member }]) => {
    const meaning = member.kinds.has("number") && member.options.length === 0 ? undefined : meaningBeside(member);
    return meaning === undefined ? [] : [`- ${titleOf(name)}: ${meaning.replace(/\s+/g, " ")}`];
  });
}

function textOf(field: Field, words: string): string {
  const { shape } = field;
  const due = dueOf(field);
  const { value } = sampleOf(shape, words);
  if (isFree(shape)) return due === "" ? String(value) : `<${due}: ${String(value).slice(1)}`;
  const choice = shape.kinds.has("object") ? JSON.stringify(exampleOf(field, words)) : choiceOf(shape, words);
  return due === "" ? choice : `${choice} <${due}>`;
}

/** Markdown has no literals: what fits is said in words. */
function choiceOf(shape: Shape, words: string): string {
  const { value, kind = String(value) } = sampleOf(shape, words);
  if (!shape.kinds.has("number") || shape.options.length > 0) return kind.replaceAll(" or ", " | ");
  return `<${shape.description === undefined ? kind : `${kind}: ${shape.description}`}>`;
}
