import { z } from "zod";
import type { Finding } from "../../../core/authoring/finding.ts";
import { Severity } from "./spellings.ts";

/**
 * A contract has two faces: what an agent is shown, with every field that a good answer has, and what is read,
 * which insists only on what control flow needs. Texts are looked at for placeholders as they are shown.
 */
export function contract<T>(shown: z.ZodType, read: z.ZodType<T>): z.ZodType<T> {
  // First `unknown`, which takes any answer as it is; the second alternative is there to be shown.
  return z.union([z.unknown(), shown]).pipe(read);
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  // An object that is no list is a mapping.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === "") return [];
  return Array.isArray(value) ? value : [value];
}

/** The first of these fields that says something. */
export function firstText(value: unknown, ...names: readonly string[]): string | undefined {
  const fields = fieldsOf(value);
  for (const name of names) {
    const said = fields[name];
    if (typeof said === "number") return String(said);
    if (typeof said === "string" && said.trim() !== "") return said.trim();
  }
  return undefined;
}

/** A text, or the text in an entry of any shape. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return firstText(value, "text", "message", "description", "detail", "title", "name", "id") ?? JSON.stringify(value);
}

export const Text = z.preprocess(
  (value) => (value === undefined || value === null ? undefined : textOf(value)),
  z.string().optional(),
);

export const Texts = z.preprocess((value) => listOf(value).map(textOf), z.array(z.string()));

const CATEGORY_OF = (value: unknown): string | undefined => firstText(value, "category", "dimension", "kind");

/** What was found, in whatever words: a text, or an entry that has one. Checks that are listed as passed are none. */
export const Findings = z.preprocess(
  (value) => listOf(value).flatMap(findingOf),
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

function findingOf(value: unknown): CategorizedFinding[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ severity: "major", message: value.trim() }];
  const fields = fieldsOf(value);
  if (fields["passed"] === true || fields["passed"] === 1) return [];
  const said = ["message", "text", "description", "detail", "issue", "problem", "title", "summary", "check_name"];
  const message = firstText(value, ...said) ?? JSON.stringify(value);
  const files = [fields["files"], fields["file"], fields["path"]].flatMap(listOf).map(textOf);
  const category = CATEGORY_OF(value)?.toLowerCase();
  return [
    {
      // A word that nobody knows is not waved through as a trifle.
      severity: Severity.catch("major").parse(fields["severity"]),
      message,
      ...(files.length > 0 && { files }),
      ...(category !== undefined && { category }),
    },
  ];
}
