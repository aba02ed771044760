import { init } from "./0001-init.ts";

/** In order; the place in this list is the schema's version. What was released is never edited. */
export const MIGRATIONS: readonly string[] = [init];
