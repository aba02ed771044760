import type { Field, Shape } from "../shape.ts";
import { isList, isNested, itemOf, MOST_LEVELS, membersOf, notesOf, sampleOf, wordsOf } from "./sample.ts";

/** Renders the contract as JSON with comments about its fields, as lines of one value. */
export function jsonForm(shape: Shape): readonly string[] {
  return valueLines({ shape, required: true }, "text", MOST_LEVELS);
}

/** Renders the members of an object, each with its comma. */
export function jsonMembers(members: readonly (readonly [string, readonly string[], string])[]): readonly string[] {
  return members.flatMap(([name, [first = "", ...rest], note], at) => {
    const comma = at === members.length - 1 ? "" : ",";
    const comment = note === "" ? "" : ` // ${plain(note)}`;
    const last = rest.at(-1);
    if (last === undefined) return [`${JSON.stringify(name)}: ${first}${comma}${comment}`];
    return [`${JSON.stringify(name)}: ${first}${comment}`, ...rest.slice(0, -1), `${last}${comma}`];
  });
}

export const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function valueLines(field: Field, words: string, levels: number): readonly string[] {
  const { shape } = field;
  if (levels > 0 && isList(shape)) return listLines(valueLines(itemOf(field), words, levels - 1));
  const members = levels > 0 ? membersOf(shape) : [];
  if (members.length > 0) {
    const inner = members.map(
      ([name, member]) => [name, valueLines(member, wordsOf(name), levels - 1), notesOf(member)] as const,
    );
    return ["{", ...indented(jsonMembers(inner)), "}"];
  }
  if (isNested(shape)) return ['"<…>"'];
  const { text, quoted } = sampleOf(shape, words);
  return [quoted ? JSON.stringify(plain(text)) : text];
}

/** Puts the brackets of a list on the lines of its item. */
function listLines([first = "", ...rest]: readonly string[]): readonly string[] {
  const last = rest.at(-1);
  return last === undefined ? [`[${first}]`] : [`[${first}`, ...rest.slice(0, -1), `${last}]`];
}

const plain = (text: string): string => text.replace(/\s+/g, " ");
