/**
 * Returns the fields of an object, or none for any other value. For the clients, which start for every turn: loading a
 * schema library takes longer than their work.
 */
export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
