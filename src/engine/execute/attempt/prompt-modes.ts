import type { Role } from "../../../core/authoring/role.ts";
import { shapeOf } from "../../../core/contract/shape.ts";

type ModeRequest = { readonly role: Pick<Role, "input" | "untold">; readonly input: unknown };

/** Matches a paragraph or item for dispatches with this input: `mode: replan`, `mode: whole | synthesis`. */
const OWN = /^(- )?`(\w+): ([^`]+)`/;

/**
 * Removes text for other dispatches. Only a field that the input has, or declares, is a mode, because text about an
 * answer looks the same.
 */
export function selectModeText(text: string, { role, input }: ModeRequest): string {
  const given = toMembers(input);
  const declared = role.input ? shapeOf(role.input).fields() : new Map<string, unknown>();
  const isElsewhere = (line: string): boolean => {
    const [, , field = "", values = ""] = OWN.exec(line) ?? [];
    if (!Object.hasOwn(given, field) && !declared.has(field)) return false;
    return !values.split(" | ").includes(String(given[field]));
  };
  return dropBlocks(text.split("\n"), isElsewhere)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}

/** A paragraph ends at a blank line, an item where the indentation ends. */
function dropBlocks(lines: readonly string[], isDropped: (line: string) => boolean): readonly string[] {
  let within: "paragraph" | "item" | undefined;
  return lines.filter((line) => {
    if (within === undefined || line.trim() === "" || (within === "item" && !line.startsWith("  "))) {
      within = isDropped(line) ? (line.startsWith("- ") ? "item" : "paragraph") : undefined;
    }
    return within === undefined;
  });
}

/** Removes fields that exist only for the record. */
export function dropUntoldFields({ role: { untold = [] }, input }: ModeRequest): unknown {
  if (untold.length === 0) return input;
  return Object.fromEntries(Object.entries(toMembers(input)).filter(([name]) => !untold.includes(name)));
}

function toMembers(input: unknown): Readonly<Record<string, unknown>> {
  // An object that is no list has its members by name.
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {};
}
