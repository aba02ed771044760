import { canonical } from "../../core/text/json.ts";

/** Where two documents say different things, as paths; the first few are enough to know where to look. */
export function differingPaths(said: unknown, found: unknown, path = ""): readonly string[] {
  if (canonical(said) === canonical(found)) return [];
  if (!isGroup(said) || !isGroup(found)) return [path || "the whole"];
  const keys = new Set([...Object.keys(said), ...Object.keys(found)]);
  return [...keys].flatMap((key) => differingPaths(said[key], found[key], path === "" ? key : `${path}.${key}`));
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
