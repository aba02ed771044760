import type { Json } from "../../text/json.ts";
import type { Field, Shape } from "../shape.ts";
import { dueOf, exampleOf, isList, MOST_LEVELS, meaningBeside, membersOf } from "./sample.ts";

/** The contract as an example value. */
export function jsonExample(shape: Shape): Json {
  return exampleOf({ shape, required: true }, "text");
}

/** What an example in JSON cannot say, because JSON has no comments: what may be left out, what fits, what it means. */
export function jsonNotes(shape: Shape): readonly string[] {
  const notes = notesBelow(shape, "", MOST_LEVELS);
  const optional = notes.filter(({ text }) => text === "optional").map(({ place }) => `\`${place}\``);
  const others = notes.filter(({ text }) => text !== "optional" && text !== "");
  return [
    ...(optional.length === 0 ? [] : [`Optional: ${optional.join(", ")}.`]),
    ...others.map(({ place, text }) => `- \`${place}\`: ${text}`),
  ];
}

type Note = { readonly place: string; readonly text: string };

function notesBelow(shape: Shape, path: string, levels: number): readonly Note[] {
  if (levels === 0) return [];
  return membersOf(shape).flatMap(([name, field]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const below = isList(field.shape)
      ? notesBelow(field.shape.items(), `${place}[]`, levels - 1)
      : notesBelow(field.shape, place, levels - 1);
    return [{ place, text: noteOf(field) }, ...below];
  });
}

/** That a number is a number, the example shows; how large it may be, it does not. */
function noteOf(field: Field): string {
  const parts = [dueOf(field), boundsOf(field.shape), meaningBeside(field.shape)];
  return parts
    .filter((part) => part !== undefined && part !== "")
    .join("; ")
    .replace(/\s+/g, " ");
}

function boundsOf({ range: { least, most } }: Shape): string {
  if (most === undefined) return "";
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}
