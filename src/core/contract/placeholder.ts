import type { Json } from "../text/json.ts";
import { type Problem, show } from "./problem.ts";
import type { Shape } from "./shape.ts";

/** Never an answer if the value contains nothing else. */
const EMPTY_HANDED: ReadonlySet<string> = new Set(["todo", "tbd", "tba", "fixme", "xxx", "placeholder"]);
/**
 * Valid as a path or a name in a list, but meaningless as a whole required text. Ordinary words such as "test" can be
 * an answer.
 */
const VAGUE: ReadonlySet<string> = new Set(["string", "foo", "bar"]);

/**
 * Finds required texts that consist only of a placeholder: the answer matches its schema and says nothing.
 * @rule A-11 (policy) An answer that repeats the example or contains only a placeholder is no answer.
 */
export function findPlaceholders(value: Json, shape: Shape): readonly Problem[] {
  return findPlaceholdersBelow({ value, shape, field: "", listed: false });
}

type ValuePosition = {
  readonly value: Json | undefined;
  readonly shape: Shape;
  readonly field: string;
  readonly listed: boolean;
};

function findPlaceholdersBelow({ value, shape, field, listed }: ValuePosition): readonly Problem[] {
  if (typeof value === "string") {
    const empty = shape.freeText && isPlaceholder(value, listed);
    return empty ? [{ field, expected: "an answer", found: `the placeholder ${show(value)}` }] : [];
  }
  if (isList(value)) {
    const items = shape.items();
    return value.flatMap((item, at) =>
      findPlaceholdersBelow({ value: item, shape: items, field: `${field}[${at}]`, listed: true }),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  const fields = shape.fields();
  const values = shape.values();
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fields.get(name);
    const member = known ? (known.required ? known.shape : undefined) : values;
    const place = field === "" ? name : `${field}.${name}`;
    return member ? findPlaceholdersBelow({ value: inner, shape: member, field: place, listed: false }) : [];
  });
}

function isPlaceholder(value: string, listed: boolean): boolean {
  const text = value.trim().toLowerCase();
  if (EMPTY_HANDED.has(text) || (!listed && VAGUE.has(text))) return true;
  return /^(?:[.…?]+|<[^<>]*>)$/.test(text) || isTemplateSlot(value.trim()) || isFillerText(text);
}

/** Matches `[insert requirement here]`, `{{ summary }}`: a slot of a template, not a list or a link. */
function isTemplateSlot(text: string): boolean {
  if (/^\{\{[^{}]*\}\}$/.test(text)) return true;
  const [, inner = ""] = /^\[([^[\]]*)\][.!]?$/.exec(text) ?? [];
  return TEMPLATE_WORDS.test(inner.trim()) || /^[A-Z]+(?:[ _][A-Z]+)+$/.test(inner.trim());
}

const TEMPLATE_WORDS =
  /^(?:insert|enter|add|fill|describe|replace|write|provide|your|placeholder|todo|tbd|to be)\b|\bhere$/i;

function isFillerText(text: string): boolean {
  return /^[["'(]*lorem ipsum\b/.test(text);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
