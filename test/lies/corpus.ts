import type { Entry } from "./entry.ts";
import { controls } from "./honest/all.ts";
import { lies } from "./lies/all.ts";

export const corpus: readonly Entry[] = [...lies, ...controls];

const ids = corpus.map(({ id }) => id);
const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
if (twice.length > 0) throw new Error(`more than one entry is called ${twice.join(", ")}`);
