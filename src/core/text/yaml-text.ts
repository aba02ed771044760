import { stringify } from "yaml";

/** Cache of recent texts: a replayed run produces the same ones again, and writing YAML is slow. */
const MADE = new Map<string, string>();
const MOST_MADE = 200;

/** Writes data as YAML, one line per value of any length, without aliases. */
export function yamlText(value: unknown): string {
  const name = JSON.stringify(value) ?? "";
  const text = MADE.get(name) ?? stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  MADE.delete(name);
  MADE.set(name, text);
  for (const oldest of MADE.keys()) {
    if (MADE.size <= MOST_MADE) break;
    MADE.delete(oldest);
  }
  return text;
}
