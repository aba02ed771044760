import { SignalboxError } from "../../core/failure/errors.ts";

/** Translates git's message about a missing object into an error; undefined for other messages. */
export function toLostObjectError(said: string, asked: readonly string[] = []): SignalboxError | undefined {
  const words = said.split("\n").find((text) => LOST_MESSAGES.test(text));
  // Not every command names the object in its message.
  const id = words === undefined ? undefined : ID.exec([words, ...asked].join(" "))?.[0];
  if (id === undefined) return undefined;
  return new SignalboxError(
    "OBJECT_GONE",
    `Object ${id} is missing from the repository, and the run needs it (${words?.trim()}). Refs under refs/signalbox/ were deleted and git has garbage-collected their objects, or the repository is damaged (\`git fsck\`).`,
    "Restore it from another clone or a backup (`git fetch`), then run `signalbox resume`. If there is none, `signalbox cancel` the run and start a new one.",
  );
}

const ID = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/;

/** Messages of reading, packing, comparing and resolving. */
const LOST_MESSAGES = new RegExp(
  [
    "not a valid (?:object|'?(?:tree|commit|blob))",
    "(?:bad|invalid|nonexistent|missing) (?:tree |blob |commit )?object",
    "(?:bad|missing) (?:tree|blob)",
    "not a tree object",
    "failed to unpack tree object",
    "(?:unable to|could not) (?:read|find|parse)",
  ].join("|"),
  "i",
);
