import type { Json } from "../../text/json.ts";

export type Members = { readonly [key: string]: Json };

/** What a mapping holds; nothing where the value is none. */
export function membersOf(value: Json | undefined): Members {
  // An object that is no list is a mapping; TypeScript does not narrow readonly arrays away.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
