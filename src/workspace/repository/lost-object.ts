import { SignalboxError } from "../../core/failure/errors.ts";

/** What git says of an id that it was asked for and has not, told as what was lost; undefined for any other words. */
export function lostObject(said: string, asked: readonly string[] = []): SignalboxError | undefined {
  const words = said.split("\n").find((text) => SAYINGS.test(text));
  // Not every command says of which one it speaks.
  const id = words === undefined ? undefined : ID.exec([words, ...asked].join(" "))?.[0];
  if (id === undefined) return undefined;
  return new SignalboxError(
    "OBJECT_GONE",
    `The object ${id} is gone from the repository, and the run needs it (${words?.trim()}). Refs under refs/signalbox/ were deleted and git has collected what they held, or the repository is damaged (\`git fsck\`).`,
    "Bring it back from another clone or a backup (`git fetch`), then `signalbox resume`. Where there is none the run cannot go on: `signalbox cancel` it and start a new one.",
  );
}

const ID = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/;

/** Of reading, packing, comparing and naming alike. */
const SAYINGS = new RegExp(
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
