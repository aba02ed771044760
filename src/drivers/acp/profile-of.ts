import { AcpProfile } from "./profile.ts";
import { ACP_PROFILES } from "./profiles/index.ts";

/** A program by its name: what is built in, with what was said about it over that. Undefined where there is neither. */
export function profileOf(name: string, said: Readonly<Record<string, unknown>> | undefined) {
  const known: Readonly<Record<string, AcpProfile>> = ACP_PROFILES;
  const base = Object.hasOwn(known, name) ? known[name] : undefined;
  return base || said ? AcpProfile.safeParse({ ...base, ...said }) : undefined;
}
