import type { Field, Shape } from "../shape.ts";
import {
  createSample,
  formatFieldNotes,
  getItemField,
  isList,
  isNested,
  listMembers,
  MOST_LEVELS,
  splitIntoWords,
} from "./sample.ts";

/** Renders the contract as JSON with comments about its fields, as lines of one value. */
export function renderJsonForm(shape: Shape): readonly string[] {
  return renderJsonValue({ shape, required: true }, "text", MOST_LEVELS);
}

/** Renders the members of an object, each with its comma. */
export function renderJsonMembers(
  members: readonly (readonly [string, readonly string[], string])[],
): readonly string[] {
  return members.flatMap(([name, [first = "", ...rest], note], at) => {
    const comma = at === members.length - 1 ? "" : ",";
    const comment = note === "" ? "" : ` // ${toSingleSpaces(note)}`;
    const last = rest.at(-1);
    if (last === undefined) return [`${JSON.stringify(name)}: ${first}${comma}${comment}`];
    return [`${JSON.stringify(name)}: ${first}${comment}`, ...rest.slice(0, -1), `${last}${comma}`];
  });
}

export const indentLines = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function renderJsonValue(field: Field, words: string, levels: number): readonly string[] {
  const { shape } = field;
  if (levels > 0 && isList(shape)) return renderJsonList(renderJsonValue(getItemField(field), words, levels - 1));
  const members = levels > 0 ? listMembers(shape) : [];
  if (members.length > 0) {
    const inner = members.map(
      ([name, member]) =>
        [name, renderJsonValue(member, splitIntoWords(name), levels - 1), formatFieldNotes(member)] as const,
    );
    return ["{", ...indentLines(renderJsonMembers(inner)), "}"];
  }
  if (isNested(shape)) return ['"<…>"'];
  const { text, quoted } = createSample(shape, words);
  return [quoted ? JSON.stringify(toSingleSpaces(text)) : text];
}

/** Puts the brackets of a list on the lines of its item. */
function renderJsonList([first = "", ...rest]: readonly string[]): readonly string[] {
  const last = rest.at(-1);
  return last === undefined ? [`[${first}]`] : [`[${first}`, ...rest.slice(0, -1), `${last}]`];
}

const toSingleSpaces = (text: string): string => text.replace(/\s+/g, " ");
