import { stringify } from "yaml";

/** A part of an input that is a file in the agent's folder; the prompt names it. */
export type InputPart = { readonly part: string; readonly path: string; readonly text: string };

/** Below the engine's own folder, from which nothing is ever taken. */
export const INPUT_FOLDER = ".signalbox/input";

/** Shorter parts are easier to read in the prompt. */
const LONG = 700;

/**
 * Fields that tell the agent what to do, or what a person or a gate said about it: they always stay in the prompt,
 * however long.
 */
const IN_SIGHT = new Set(["request", "task", "item", "findings", "note", "notes", "remarks", "question", "answer"]);

/**
 * Selects the long parts of an input as files: background that several roles get (a specification, a design, a diff) is
 * read when it is needed. Of a part with instructions only the long fields move to files.
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

/** Replaces each part that became a file by a reference to it. */
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
