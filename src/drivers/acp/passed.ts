import type { AcpProfile } from "./profile.ts";

type ProfileUse = {
  readonly profile: AcpProfile;
  /** Where the variable that names the maker would stand. */
  readonly from?: Readonly<Record<string, string | undefined>>;
  readonly model?: string | undefined;
};

/** The variables that a program may see: of keys of several makers' models only those of the maker that is used. */
export function passedTo({ profile, from = {}, model }: ProfileUse): readonly string[] {
  const { pass, keys, maker: variable } = profile;
  const maker = variable === undefined ? model?.split("/")[0] : from[variable];
  return [...pass, ...(keys[maker ?? ""] ?? Object.values(keys).flat())];
}
