import type { AcpProfile } from "./profile.ts";

type ProfileUse = {
  readonly profile: AcpProfile;
  /** The environment that may contain the variable naming the model maker. */
  readonly from?: Readonly<Record<string, string | undefined>>;
  readonly model?: string | undefined;
};

/**
 * The variables that a program may see. Of the keys for several model makers it sees only those of the maker in use.
 */
export function listPassedVariables({ profile, from = {}, model }: ProfileUse): readonly string[] {
  const { pass, keys, maker: variable } = profile;
  const maker = variable === undefined ? model?.split("/")[0] : from[variable];
  return [...pass, ...(keys[maker ?? ""] ?? Object.values(keys).flat())];
}
