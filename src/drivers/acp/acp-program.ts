import { join } from "node:path";
import type { DriverDescriptor } from "../descriptor.ts";
import { listPassedVariables } from "./passed-variables.ts";
import { AcpProfile } from "./profile.ts";

/** A program that speaks the Agent Client Protocol; its particulars are data. */
export type AcpProgram = DriverDescriptor & { readonly profile: AcpProfile };

type ProgramFacts = Pick<AcpProgram, "name" | "install" | "tried" | "logIn" | "definitions" | "marks" | "profile">;

export function defineProgram(about: ProgramFacts): AcpProgram {
  const { name, profile } = about;
  return {
    ...about,
    program: profile.command,
    words: [profile.command, ...profile.args],
    login: { files: ({ home }) => profile.login.map((path) => join(home, path)) },
    variables: ({ env, model }) => listPassedVariables({ profile, from: env, model }),
    async create({ limits, user }) {
      const { createAcpDriver } = await import("./acp-driver.ts");
      return createAcpDriver({ name, profile, userHome: user.home, limits });
    },
  };
}

export function isAcpProgram(driver: DriverDescriptor): driver is AcpProgram {
  return "profile" in driver;
}

/** The built-in profile, overridden by the configured fields. */
export function parseProfile(known: AcpProgram | undefined, said: Readonly<Record<string, unknown>>) {
  return AcpProfile.safeParse({ ...known?.profile, ...said });
}

/**
 * A program defined in the configuration. If its command differs from the built-in one, the built-in facts do not
 * apply.
 */
export function adjustProgram(name: string, profile: AcpProfile, known: AcpProgram | undefined): AcpProgram {
  const same = known?.program === profile.command ? known : undefined;
  const { definitions } = known ?? {};
  return defineProgram({ ...same, ...(definitions ? { definitions } : {}), name, profile });
}
