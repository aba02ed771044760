import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pipeline } from "../core/pipeline.ts";
import type { Walls } from "../engine/perform/confine.ts";
import { type AgentChoice, type Agents, loginsOf, playersOf } from "./agents.ts";
import type { RepositoryPlaces } from "./repository.ts";
import { stateFolder, userConfigFile } from "./user-places.ts";

const OURS = fileURLToPath(new URL("../..", import.meta.url));

type Inside = {
  readonly places: RepositoryPlaces;
  readonly agents: Agents;
  readonly pipelines: readonly Pipeline[];
};

/** What a sandbox hides from agents and checks, and what it must show all the same: us, Node, and what was configured. */
export function wallsFor({ places, agents, pipelines }: Inside): Walls {
  const homes = [homedir(), stateFolder(), dirname(userConfigFile())];
  return {
    hidden: [...homes, places.top].filter((path) => existsSync(path)),
    readable: [resolve(OURS), dirname(process.execPath), ...filesOfAgents(agents, pipelines)],
  };
}

/** A command is often an interpreter and a file: the file is the program. And the logins that they need. */
function filesOfAgents(agents: Agents, pipelines: readonly Pipeline[]): readonly string[] {
  const roles = pipelines.flatMap((pipeline) => pipeline.roles.map((role) => role.name));
  const named = roles.flatMap((role) => playersOf(agents(role)).flatMap(filesOf));
  return [...new Set(named)].filter((word) => isAbsolute(word) && existsSync(word));
}

function filesOf(choice: AgentChoice): readonly string[] {
  const words = choice.driver === "acp" ? [choice.profile.command, ...choice.profile.args] : [];
  return [...(choice.driver === "command" ? choice.argv : words), ...loginsOf(choice)];
}
