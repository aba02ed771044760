import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxPaths } from "../../engine/execute/sandbox.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { getStateFolder, getUserConfigFile } from "../project/user-folders.ts";
import { type AgentChoice, listAgentChain, listLoginFiles } from "./agents.ts";

const PACKAGE_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

type SandboxInput = {
  readonly places: RepositoryPlaces;
  /** Agents that may be started in the sandbox. */
  readonly agents: readonly (AgentChoice | undefined)[];
};

/**
 * Returns the paths that a sandbox hides from agents and checks, and the ones that stay readable: Signalbox, Node, and
 * configured programs.
 */
export function listSandboxPaths({ places, agents }: SandboxInput): SandboxPaths {
  const homes = [homedir(), getStateFolder(), dirname(getUserConfigFile())];
  return {
    hidden: [...homes, places.top].filter((path) => existsSync(path)),
    readable: [resolve(PACKAGE_ROOT), dirname(process.execPath), ...listAgentPaths(agents)],
  };
}

/**
 * Returns the files that agents need: login files, and the words of a command, because an interpreter's program is one
 * of its arguments.
 */
function listAgentPaths(agents: SandboxInput["agents"]): readonly string[] {
  const named = agents.flatMap(listAgentChain).flatMap(listDriverPaths);
  return [...new Set(named)].filter((word) => isAbsolute(word) && existsSync(word));
}

function listDriverPaths({ driver }: AgentChoice): readonly string[] {
  return [...(driver.words ?? []), ...listLoginFiles(driver)];
}
