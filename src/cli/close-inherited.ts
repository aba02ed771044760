import { closeInherited } from "../processes/sandbox/descriptors.ts";

/**
 * Closes descriptors inherited from the parent so that child processes do not get them. Descriptors that an argument
 * names (`/dev/fd/N`) stay open.
 */
export function closeInheritedDescriptors(args: readonly string[]): void {
  const named = args.flatMap((argument) => [...argument.matchAll(/\/(?:dev|proc\/self)\/fd\/(\d+)/g)]);
  closeInherited({ except: new Set(named.map((match) => Number(match[1]))) });
}
