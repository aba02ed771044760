import { init } from "./0001-init.ts";

/** In order; the schema version is the position in this list. A released migration is never edited. */
export const MIGRATIONS: readonly string[] = [init];
