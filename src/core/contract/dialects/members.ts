import type { Json } from "../../text/json.ts";

export type Members = { readonly [key: string]: Json };

/** Returns the members of a mapping; none for any other value. */
export function getMembers(value: Json | undefined): Members {
  // The cast is true: an object that is not an array is a mapping. TypeScript does not narrow readonly arrays away.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
