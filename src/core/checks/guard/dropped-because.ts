/** Explains by which rule files of an agent were dropped. */
export function droppedBecause(writes: readonly string[] | undefined): string {
  if (writes === undefined) return "the engine's own files and what agents take orders from stay as they are";
  if (writes.length === 0) return "no file was its to change";
  const rest = writes.length - SHOWN;
  return `only ${writes.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""} was its to change`;
}

const SHOWN = 12;
