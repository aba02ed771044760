import type { Field, Shape } from "../shape.ts";
import {
  createExample,
  createSample,
  formatDue,
  getItemField,
  getSeparateMeaning,
  isList,
  listMembers,
  splitIntoWords,
} from "./sample.ts";

/** Renders one bullet for each field, under its title. */
export function renderMarkdownForm(shape: Shape, titleOf: (name: string) => string): readonly string[] {
  return listMembers(shape).flatMap(([name, field]) => {
    if (!isList(field.shape)) return [`- ${titleOf(name)}: ${renderFieldPlace(field, splitIntoWords(name))}`];
    const item = getItemField(field);
    return [`- ${titleOf(name)}:`, `  - ${renderFieldPlace({ ...field, shape: item.shape }, splitIntoWords(name))}`];
  });
}

/** Renders the meanings of options and of objects, which do not fit beside the fields. */
export function renderMarkdownNotes(shape: Shape, titleOf: (name: string) => string): readonly string[] {
  return listMembers(shape).flatMap(([name, { shape: member }]) => {
    const meaning = isNumber(member) ? undefined : getSeparateMeaning(member);
    return meaning === undefined ? [] : [`- ${titleOf(name)}: ${meaning.replace(/\s+/g, " ")}`];
  });
}

/**
 * Renders the placeholder of a field. Markdown has no comments, so "optional" is part of the placeholder or follows the
 * options.
 */
export function renderFieldPlace(field: Field, words: string): string {
  const { shape } = field;
  const due = formatDue(field);
  const place = shape.kinds.has("object") ? JSON.stringify(createExample(field, words)) : renderTextPlace(shape, words);
  if (due === "") return place;
  return place.startsWith("<") ? `<${due}: ${place.slice(1)}` : `${place} <${due}>`;
}

function renderTextPlace(shape: Shape, words: string): string {
  const { text } = createSample(shape, words);
  const meaning = isNumber(shape) ? getSeparateMeaning(shape) : undefined;
  return meaning === undefined ? text : `${text.slice(0, -1)}: ${meaning}>`;
}

const isNumber = ({ kinds, options }: Shape): boolean => kinds.has("number") && options.length === 0;
