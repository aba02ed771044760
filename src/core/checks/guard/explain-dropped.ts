/** Explains by which rule files of an agent were dropped. */
export function explainDropped(writes: readonly string[] | undefined): string {
  if (writes === undefined) return "files of the engine and agent instructions cannot be changed";
  if (writes.length === 0) return "it may not change any file";
  const rest = writes.length - SHOWN;
  return `it may only change ${writes.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const SHOWN = 12;
