/** Formats a claim on one line: scalar fields and lists of strings in full, other lists by their length. */
export function formatClaim(claim: unknown): string {
  if (typeof claim !== "object" || claim === null) return String(claim);
  return Object.entries(claim)
    .flatMap(([name, value]) => {
      const text = formatField(value);
      return text === "" ? [] : [`${name}: ${text}`];
    })
    .join(" · ");
}

function formatField(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value))
    return value.every((each) => typeof each === "string") ? value.join(", ") : `${value.length}`;
  if (typeof value !== "object") return String(value);
  const inner = Object.entries(value).filter(([, each]) => typeof each !== "object" && each !== "");
  return inner.map(([name, each]) => `${name} ${String(each)}`).join(", ");
}
