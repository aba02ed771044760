import { canonical } from "../../core/text/json.ts";

/** Lists the paths at which two documents differ. */
export function listDifferingPaths(said: unknown, found: unknown, path = ""): readonly string[] {
  if (canonical(said) === canonical(found)) return [];
  if (!isGroup(said) || !isGroup(found)) return [path || "the whole document"];
  const keys = new Set([...Object.keys(said), ...Object.keys(found)]);
  return [...keys].flatMap((key) => listDifferingPaths(said[key], found[key], path === "" ? key : `${path}.${key}`));
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
