import type { Json } from "../text/json.ts";

/** Returns the user's request in their own words, or the pipeline's input if it takes no request. */
export function getRequest(input: Json): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return "";
  const fields = Object.entries(input);
  const [, said] =
    fields.find(([name]) => name === "request") ?? fields.find(([, value]) => typeof value === "string") ?? [];
  return typeof said === "string" ? said : "";
}
