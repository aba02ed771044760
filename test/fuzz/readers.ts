import { EVIDENCE } from "./evidence-readers.ts";
import { OTHERS } from "./other-readers.ts";
import type { Reader } from "./reader.ts";

/** All parsers of foreign texts. */
export const READERS: readonly Reader[] = [...EVIDENCE, ...OTHERS];

export function readerOf(name: string): Reader {
  const found = READERS.find((reader) => reader.name === name);
  if (!found) throw new Error(`there is no reader "${name}"; there are ${READERS.map((each) => each.name).join(", ")}`);
  return found;
}
