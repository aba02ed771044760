import type { Json } from "../text/json.ts";

/** What somebody asked for, in their words; where a pipeline takes no request, what it was given instead. */
export function requestOf(input: Json): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return "";
  const fields = Object.entries(input);
  const [, said] =
    fields.find(([name]) => name === "request") ?? fields.find(([, value]) => typeof value === "string") ?? [];
  return typeof said === "string" ? said : "";
}
