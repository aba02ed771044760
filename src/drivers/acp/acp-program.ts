import { join } from "node:path";
import type { DriverDescriptor } from "../descriptor.ts";
import { passedTo } from "./passed.ts";
import { AcpProfile } from "./profile.ts";

/** A program that speaks the Agent Client Protocol; what is special about it is data. */
export type AcpProgram = DriverDescriptor & { readonly profile: AcpProfile };

type About = Pick<AcpProgram, "name" | "install" | "tried" | "logIn" | "definitions" | "marks" | "profile">;

export function defineProgram(about: About): AcpProgram {
  const { name, profile } = about;
  return {
    ...about,
    program: profile.command,
    words: [profile.command, ...profile.args],
    login: { files: ({ home }) => profile.login.map((path) => join(home, path)) },
    variables: ({ env, model }) => passedTo({ profile, from: env, model }),
    async create({ limits, user }) {
      const { acpDriver } = await import("./acp-driver.ts");
      return acpDriver({ name, profile, userHome: user.home, limits });
    },
  };
}

export function isAcpProgram(driver: DriverDescriptor): driver is AcpProgram {
  return "profile" in driver;
}

/** What is built in, with what was said about it over that. */
export function profileWith(known: AcpProgram | undefined, said: Readonly<Record<string, unknown>>) {
  return AcpProfile.safeParse({ ...known?.profile, ...said });
}

/** A program of the configuration's own making; where that starts something else, what was known does not hold for it. */
export function adjustedProgram(name: string, profile: AcpProfile, known: AcpProgram | undefined): AcpProgram {
  const same = known?.program === profile.command ? known : undefined;
  const { definitions } = known ?? {};
  return defineProgram({ ...same, ...(definitions ? { definitions } : {}), name, profile });
}
