import type { Json } from "../text/json.ts";
import { foldWord } from "./fold.ts";
import type { Problem } from "./problem.ts";
import type { Field, Shape } from "./shape.ts";

type Members = { readonly [name: string]: Json };

/**
 * Adapts the value to its schema if only one reading is possible: `"0.9"` where only a number is valid, `Needs
 * Revision` for the only matching option, null for an optional field.
 *
 * Contract: a value that the schema accepts is not changed; an ambiguous value stays and is refused.
 */
export function asMeant(value: Json, shape: Shape): Json {
  if (typeof value === "string") return adaptText(value, shape);
  if (typeof value === "number" || typeof value === "boolean") return adaptLiteral(value, shape);
  if (isList(value)) {
    const items = shape.items();
    return value.map((item) => asMeant(item, items));
  }
  // The cast is true: TypeScript does not narrow readonly arrays away.
  return value === null ? value : adaptMembers(value as Members, shape);
}

function adaptMembers(value: Members, shape: Shape): Json {
  const fields = shape.fields();
  const values = shape.values();
  // An object without declared fields is accepted as it is.
  if (fields.size === 0 && !values) return value;
  const given = Object.keys(value);
  const names =
    values || given.every((name) => fields.has(name)) ? undefined : matchFieldNames(given, [...fields.keys()]);
  const entries = given.flatMap((key): [string, Json][] => {
    const [name, inner] = [names?.get(key) ?? key, value[key] ?? null];
    const field = fields.get(name);
    if (field && isAbsent(inner, field)) return [];
    const member = field?.shape ?? values;
    return [[name, member ? asMeant(inner, member) : inner]];
  });
  return Object.fromEntries(entries);
}

/** Maps `Blocked Reason` to `blocked_reason`, unless that key exists too or another field could be meant. */
function matchFieldNames(given: readonly string[], known: readonly string[]): ReadonlyMap<string, string> {
  const [keys, fields] = [groupByWord(given), groupByWord(known)];
  const pairs = [...keys].flatMap(([word, [key, rival]]): [string, string][] => {
    const [name, other] = fields.get(word) ?? [];
    return key === undefined || name === undefined || rival !== undefined || other !== undefined ? [] : [[key, name]];
  });
  return new Map(pairs);
}

/**
 * Finds fields that are given twice in different spellings with different values, because one of them would be dropped.
 * Fields that the schema does not know are ignored.
 */
export function findContradictions(value: Json, shape: Shape, at = ""): readonly Problem[] {
  if (isList(value)) {
    const items = shape.items();
    return value.flatMap((item, index) => findContradictions(item, items, `${at}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  const members = value as Members;
  const [keys, fields] = [groupByWord(Object.keys(members)), groupByWord([...shape.fields().keys()])];
  return [...keys].flatMap(([word, same]) => {
    const name = fields.get(word)?.[0];
    const field = name === undefined ? undefined : shape.fields().get(name);
    if (name === undefined || field === undefined) return [];
    const path = at === "" ? name : `${at}.${name}`;
    const values = new Set(same.map((key) => JSON.stringify(members[key])));
    if (values.size > 1) return [{ field: path, expected: "one value", found: same.join(" and ") }];
    return same.flatMap((key) => findContradictions(members[key] ?? null, field.shape, path));
  });
}

function groupByWord(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>();
  for (const name of names) {
    const word = foldWord(name);
    const same = words.get(word);
    if (same) same.push(name);
    else words.set(word, [name]);
  }
  return words;
}

/** Spellings of an absent value, for optional fields. */
const NOTHING: ReadonlySet<string> = new Set(["", "null", "none", "n/a"]);

function isAbsent(value: Json, { shape, required }: Field): boolean {
  if (required || shape.kinds.has("any")) return false;
  if (value === null) return !shape.kinds.has("null");
  if (typeof value !== "string" || shape.openText || isStructure(shape)) return false;
  return NOTHING.has(value.trim().toLowerCase()) && listLiterals(value, shape).length === 0;
}

function isStructure({ kinds }: Shape): boolean {
  return kinds.has("array") || kinds.has("object");
}

function adaptText(text: string, shape: Shape): Json {
  if (shape.openText || shape.kinds.has("any") || shape.options.includes(text)) return text;
  const [only, ...others] = listLiterals(text, shape);
  return only === undefined || others.length > 0 ? text : only;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Lists every value of the schema that the text could represent. */
function listLiterals(text: string, { kinds, options }: Shape): readonly Json[] {
  const word = foldWord(text);
  const named = options.filter((option) => foldWord(String(option)) === word);
  const truth = kinds.has("boolean") && (word === "true" || word === "false") ? [word === "true"] : [];
  const number = kinds.has("number") && NUMBER.test(text.trim()) ? [Number(text)] : [];
  const nothing = kinds.has("null") && word === "null" ? [null] : [];
  return [...new Set<Json>([...named, ...truth, ...number, ...nothing])];
}

/** Converts a `true` or `12` that YAML or JSON parsed back to text if only text is valid. */
function adaptLiteral(value: number | boolean, { kinds, options }: Shape): Json {
  if (kinds.has(typeof value === "number" ? "number" : "boolean") || kinds.has("any")) return value;
  return options.includes(String(value)) ? String(value) : value;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
