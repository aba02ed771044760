/** The same data with every text in it cleaned of secrets: before a form escapes their letters. */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  // Every branch keeps the shape that it was given.
  return redacted(value, redact) as T;
}

function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => redacted(each, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), redacted(each, redact)]));
}
