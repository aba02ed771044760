import { createAgentDriver } from "../../src/cli/agents/agents.ts";
import type { Capabilities } from "../../src/core/ports/driver.ts";
import { DRIVERS } from "../../src/drivers/index.ts";
import * as pinned from "../agents/install.ts";

/** A real program of the suite. */
export type Program = {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Its driver's declared capabilities. */
  readonly can: Capabilities;
};

/** Lists every program pinned for the suite, so an added program needs no second entry here. */
export async function programsOfSuite(): Promise<readonly Program[]> {
  const packages = Object.entries(pinned).filter(
    (entry): entry is [string, pinned.AgentPackage] => typeof entry[1] === "object" && "version" in entry[1],
  );
  const programs = packages.map(async ([key, { package: name, version }]) => {
    const program = key.toLowerCase();
    return { name: program, package: name, version, can: await abilitiesOf(program) };
  });
  return (await Promise.all(programs)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function abilitiesOf(program: string): Promise<Capabilities> {
  const driver = DRIVERS.find(({ name }) => name === program);
  if (!driver) throw new Error(`there is no driver for ${program}`);
  return (await createAgentDriver({ driver })).can;
}
