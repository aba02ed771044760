import { closeInherited } from "../processes/sandbox/descriptors.ts";

/** Closes what we were given and nobody below us is to have, but for the files that a shell names by their numbers. */
export function closeWhatWasGiven(args: readonly string[]): void {
  const named = args.flatMap((argument) => [...argument.matchAll(/\/(?:dev|proc\/self)\/fd\/(\d+)/g)]);
  closeInherited({ except: new Set(named.map((match) => Number(match[1]))) });
}
