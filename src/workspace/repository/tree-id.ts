import { SignalboxError } from "../../core/failure/errors.ts";

/** Ids come from journals and configuration: anything else could be read as an option or as a revision expression. */
export function needsId(id: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return id;
  throw new SignalboxError("INPUT_INVALID", `"${id}" is not a git object id`, "Give the full id, 40 or 64 hex digits.");
}
