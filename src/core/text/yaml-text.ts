import { stringify } from "yaml";

/** Texts that were made lately: a run that is replayed makes the same ones again, and YAML is slow to write. */
const MADE = new Map<string, string>();
const MOST_MADE = 200;

/** Data as YAML, one line per value however long, and nothing said by reference. */
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
