import { z } from "zod";
import type { Finding } from "../../../core/authoring/finding.ts";
import { Severity } from "./spellings.ts";

/**
 * Combines two schemas: the one shown to agents, with every field of a good answer, and the one that is read, which
 * requires only what control flow needs. Placeholders are detected with the shown one.
 */
export function createLenientContract<T>(shown: z.ZodType, read: z.ZodType<T>): z.ZodType<T> {
  // `unknown` accepts any answer; the second alternative only provides the shown form.
  return z.union([z.unknown(), shown]).pipe(read);
}

export type Fields = Readonly<Record<string, unknown>>;

export function toFields(value: unknown): Fields {
  // An object that is not an array is a mapping.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === "") return [];
  return Array.isArray(value) ? value : [value];
}

/** Returns the first of these fields that is not empty. */
export function getFirstText(value: unknown, ...names: readonly string[]): string | undefined {
  const fields = toFields(value);
  for (const name of names) {
    const said = fields[name];
    if (typeof said === "number") return String(said);
    if (typeof said === "string" && said.trim() !== "") return said.trim();
  }
  return undefined;
}

/** Returns a text, or the text in an entry of any shape. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return (
    getFirstText(value, "text", "message", "description", "detail", "title", "name", "id") ?? JSON.stringify(value)
  );
}

export const Text = z.preprocess(
  (value) => (value === undefined || value === null ? undefined : toText(value)),
  z.string().optional(),
);

export const Texts = z.preprocess((value) => toList(value).map(toText), z.array(z.string()));

const getCategory = (value: unknown): string | undefined => getFirstText(value, "category", "dimension", "kind");

/** Parses findings in any form: texts, or entries that contain one. Checks listed as passed are ignored. */
export const Findings = z.preprocess(
  (value) => toList(value).flatMap(parseFinding),
  z.array(
    z.object({
      severity: z.enum(["blocker", "critical", "major", "minor"]),
      message: z.string().min(1),
      files: z.array(z.string()).optional(),
      category: z.string().optional(),
    }),
  ),
);
export type CategorizedFinding = Finding & { readonly category?: string | undefined };

function parseFinding(value: unknown): CategorizedFinding[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ severity: "major", message: value.trim() }];
  const fields = toFields(value);
  if (fields["passed"] === true || fields["passed"] === 1) return [];
  const said = ["message", "text", "description", "detail", "issue", "problem", "title", "summary", "check_name"];
  const message = getFirstText(value, ...said) ?? JSON.stringify(value);
  const files = [fields["files"], fields["file"], fields["path"]].flatMap(toList).map(toText);
  const category = getCategory(value)?.toLowerCase();
  return [
    {
      // An unknown severity counts as major, not as minor.
      severity: Severity.catch("major").parse(fields["severity"]),
      message,
      ...(files.length > 0 && { files }),
      ...(category !== undefined && { category }),
    },
  ];
}
