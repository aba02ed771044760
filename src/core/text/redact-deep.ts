/** Redacts every text of the data. Do this before a serializer escapes characters of a secret. */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  // Every branch keeps its shape, so the cast is true.
  return redactValue(value, redact) as T;
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), redactValue(each, redact)]));
}
