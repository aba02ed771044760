import { SignalboxError } from "../../core/failure/errors.ts";

/** Ids come from journals and configuration: other text could be parsed as an option or a revision expression. */
export function requireId(id: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return id;
  throw new SignalboxError("INPUT_INVALID", `"${id}" is not a git object id`, "Use the full id, 40 or 64 hex digits.");
}
