import { stringify } from "yaml";

/** A part of an input that lies in the agent's folder: the prompt names it. */
export type InputPart = { readonly part: string; readonly path: string; readonly text: string };

/** Of the engine's own place, from which nothing is ever taken. */
export const INPUT_FOLDER = ".signalbox/input";

/** Up to here it is easier to read where it stands. */
const LONG = 700;

/** What an agent is to do, and what a person or a gate said about it: never out of its sight, however long. */
const IN_SIGHT = new Set(["request", "task", "item", "findings", "note", "notes", "remarks", "question", "answer"]);

/**
 * The long parts of an input, as files: background that several roles are given (a specification, a design, a diff) is
 * looked up where it is needed. Of a part that has orders in it only its long fields go.
 */
export function longParts(input: unknown): readonly InputPart[] {
  return longFields(input).flatMap(([name, value]) =>
    fieldsOf(value).some(([key]) => IN_SIGHT.has(key))
      ? longFields(value).map(([key, each]) => partOf(`${name}.${key}`, each))
      : [partOf(name, value)],
  );
}

function longFields(value: unknown): readonly (readonly [string, unknown])[] {
  return fieldsOf(value).filter(([name, each]) => !IN_SIGHT.has(name) && textOf(each).length >= LONG);
}

/** The input with a word in the place of each part that lies elsewhere. */
export function withoutParts(input: unknown, parts: readonly Omit<InputPart, "text">[]): unknown {
  const paths = new Map(parts.map(({ part, path }) => [part, `in ${path}`]));
  if (paths.size === 0) return input;
  const replaced = (value: unknown, before: string): unknown =>
    Object.fromEntries(
      fieldsOf(value).map(([key, each]) => {
        const name = `${before}${key}`;
        const path = paths.get(name);
        if (path !== undefined) return [key, path];
        const goesOn = [...paths.keys()].some((part) => part.startsWith(`${name}.`));
        return [key, goesOn ? replaced(each, `${name}.`) : each];
      }),
    );
  return replaced(input, "");
}

function partOf(part: string, value: unknown): InputPart {
  const plain = part.replace(/[^\w.-]+/g, "-");
  const ending = typeof value === "string" ? "txt" : "yaml";
  return { part, path: `${INPUT_FOLDER}/${plain}.${ending}`, text: textOf(value) };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trim();
}

function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
