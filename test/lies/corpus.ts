import type { Entry } from "./entry.ts";
import { proof } from "./honest/proof.ts";
import { lies } from "./lies/all.ts";

export const corpus: readonly Entry[] = [...lies, ...proof];

const ids = corpus.map(({ id }) => id);
const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
if (twice.length > 0) throw new Error(`more than one entry is called ${twice.join(", ")}`);
