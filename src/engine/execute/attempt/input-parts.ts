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
export function listLongParts(input: unknown): readonly InputPart[] {
  return listLongFields(input).flatMap(([name, value]) =>
    listFields(value).some(([key]) => IN_SIGHT.has(key))
      ? listLongFields(value).map(([key, each]) => createInputPart(`${name}.${key}`, each))
      : [createInputPart(name, value)],
  );
}

function listLongFields(value: unknown): readonly (readonly [string, unknown])[] {
  return listFields(value).filter(([name, each]) => !IN_SIGHT.has(name) && formatInputPart(each).length >= LONG);
}

/** Replaces each part that became a file by a reference to it. */
export function replaceInputParts(input: unknown, parts: readonly Omit<InputPart, "text">[]): unknown {
  const paths = new Map(parts.map(({ part, path }) => [part, `in ${path}`]));
  if (paths.size === 0) return input;
  const replaceParts = (value: unknown, before: string): unknown =>
    Object.fromEntries(
      listFields(value).map(([key, each]) => {
        const name = `${before}${key}`;
        const path = paths.get(name);
        if (path !== undefined) return [key, path];
        const goesOn = [...paths.keys()].some((part) => part.startsWith(`${name}.`));
        return [key, goesOn ? replaceParts(each, `${name}.`) : each];
      }),
    );
  return replaceParts(input, "");
}

function createInputPart(part: string, value: unknown): InputPart {
  const plain = part.replace(/[^\w.-]+/g, "-");
  const ending = typeof value === "string" ? "txt" : "yaml";
  return { part, path: `${INPUT_FOLDER}/${plain}.${ending}`, text: formatInputPart(value) };
}

function formatInputPart(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trim();
}

function listFields(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
