import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxPaths } from "../../engine/execute/sandbox.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { stateFolder, userConfigFile } from "../project/user-places.ts";
import { type AgentChoice, loginsOf, withFallbacks } from "./agents.ts";

const OURS = fileURLToPath(new URL("../../..", import.meta.url));

type SandboxInput = {
  readonly places: RepositoryPlaces;
  /** Who may be started there. */
  readonly agents: readonly (AgentChoice | undefined)[];
};

/** What a sandbox hides from agents and checks, and what it must show all the same: us, Node, and what was configured. */
export function sandboxPathsFor({ places, agents }: SandboxInput): SandboxPaths {
  const homes = [homedir(), stateFolder(), dirname(userConfigFile())];
  return {
    hidden: [...homes, places.top].filter((path) => existsSync(path)),
    readable: [resolve(OURS), dirname(process.execPath), ...filesOfAgents(agents)],
  };
}

/** A command is often an interpreter and a file: the file is the program. And the logins that they need. */
function filesOfAgents(agents: SandboxInput["agents"]): readonly string[] {
  const named = agents.flatMap(withFallbacks).flatMap(filesOf);
  return [...new Set(named)].filter((word) => isAbsolute(word) && existsSync(word));
}

function filesOf({ driver }: AgentChoice): readonly string[] {
  return [...(driver.words ?? []), ...loginsOf(driver)];
}
