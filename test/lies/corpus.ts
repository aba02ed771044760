import type { Entry } from "./entry.ts";
import { proof } from "./honest/proof.ts";

export const corpus: readonly Entry[] = [...proof];
