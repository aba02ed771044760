/**
 * A value from outside, to look into; nothing else than an object has anything in it. For programs of ours that are
 * loaded anew for every turn: a library of schemas takes longer to load than they have to say.
 */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
