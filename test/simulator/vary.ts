import type { Shape } from "../../src/core/contract/shape.ts";
import type { Json } from "../../src/core/text/json.ts";
import type { Chance } from "./chance.ts";

type Path = readonly (string | number)[];
/** One change that an agent might make to a good answer. */
type Edit = { readonly path: Path; readonly value: Json | undefined };

/** Changes one to three values of a good answer, mostly to values of its schema. */
export function varied(value: Json, shape: Shape, chance: Chance): Json {
  let now = value;
  for (let left = chance.between(1, 3); left > 0; left -= 1) {
    const edits = listEdits(now, shape, { chance, path: [] });
    if (edits.length === 0) return now;
    const { path, value: other } = chance.pick(edits)();
    now = applyEdit(now, path, other);
  }
  return now;
}

type EditLocation = { readonly chance: Chance; readonly path: Path };

function listEdits(value: Json | undefined, shape: Shape, at: EditLocation): (() => Edit)[] {
  const { chance, path } = at;
  if (Array.isArray(value)) return editList(value, shape, at);
  if (typeof value === "object" && value !== null)
    return editFields(value as Readonly<Record<string, Json>>, shape, at);
  if (typeof value === "boolean") return [() => ({ path, value: !value })];
  if (typeof value === "number") return [() => ({ path, value: chance.pick([0, 1, 2, 5, 60, 85, 100, value * 2]) })];
  const words = listWords(shape, value).filter((word) => word !== value);
  // A choice field gets more weight than its position because it decides the path of a run.
  return words.length > 0 ? Array.from({ length: 3 }, () => () => ({ path, value: chance.pick(words) })) : [];
}

function editList(list: readonly Json[], shape: Shape, { chance, path }: EditLocation): (() => Edit)[] {
  const items = shape.items();
  return [
    () => ({ path, value: [...list, sampleOf(items, chance)] }),
    () => ({ path, value: list.slice(0, -1) }),
    ...list.flatMap((item, index) => listEdits(item, items, { chance, path: [...path, index] })),
  ];
}

function editFields(
  fields: Readonly<Record<string, Json>>,
  shape: Shape,
  { chance, path }: EditLocation,
): (() => Edit)[] {
  return [...shape.fields()].flatMap(([name, field]) => {
    const here = [...path, name];
    const present = fields[name];
    if (present === undefined) return [() => ({ path: here, value: sampleOf(field.shape, chance) })];
    // Removing a required field makes the contract invalid, so it happens rarely.
    const drop = field.required && !chance.odds(0.1) ? [] : [() => ({ path: here, value: undefined })];
    return [...drop, ...listEdits(present, field.shape, { chance, path: here })];
  });
}

/** Returns the values that are accepted here, or that the description names as choices. */
function listWords(shape: Shape, value: Json | undefined): readonly Json[] {
  if (shape.options.length > 0) return shape.options;
  const named = (shape.description ?? "").split(/,|\bor\b|:/).map((part) => part.trim().split(" ")[0] ?? "");
  const known = named.filter((word) => /^[A-Za-z_]{3,}$/.test(word));
  return typeof value === "string" && known.includes(value) ? known : [];
}

const DEEPEST = 6;

/** Creates any value that the shape accepts, as far as a shape describes it. */
export function sampleOf(shape: Shape, chance: Chance, depth = 0): Json {
  if (shape.options.length > 0) return chance.pick(shape.options);
  if (depth > DEEPEST || shape.kinds.has("string")) return createText(shape, chance);
  if (shape.kinds.has("number")) return chance.between(0, 10);
  if (shape.kinds.has("boolean")) return chance.odds(0.5);
  if (shape.kinds.has("array"))
    return Array.from({ length: chance.between(1, 2) }, () => sampleOf(shape.items(), chance, depth + 1));
  if (!shape.kinds.has("object")) return createText(shape, chance);
  const fields = [...shape.fields()].filter(([, field]) => field.required || chance.odds(0.5));
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field.shape, chance, depth + 1)]));
}

function createText(shape: Shape, chance: Chance): string {
  const named = listWords({ ...shape, options: [] }, shape.description?.split(/[, ]/)[0]);
  if (named.length > 0) return String(chance.pick(named));
  return chance.pick(["src/greet.ts", "something else is needed", "the input is not checked", "A", "1"]);
}

function applyEdit(value: Json, path: Path, to: Json | undefined): Json {
  const [first, ...rest] = path;
  if (first === undefined) return to ?? null;
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? applyEdit(item, rest, to) : item));
  // `listEdits` made the path along this very value.
  const fields = value as Readonly<Record<string, Json>>;
  if (rest.length > 0) return { ...fields, [first]: applyEdit(fields[first] ?? null, rest, to) };
  const { [String(first)]: _gone, ...others } = fields;
  return to === undefined ? others : { ...fields, [first]: to };
}
