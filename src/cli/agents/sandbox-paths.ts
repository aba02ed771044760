import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Walls } from "../engine/perform/confine.ts";
import { type AgentChoice, loginsOf, playersOf } from "./agents.ts";
import type { RepositoryPlaces } from "./repository.ts";
import { stateFolder, userConfigFile } from "./user-places.ts";

const OURS = fileURLToPath(new URL("../..", import.meta.url));

type Inside = {
  readonly places: RepositoryPlaces;
  /** Who may be started there. */
  readonly agents: readonly (AgentChoice | undefined)[];
};

/** What a sandbox hides from agents and checks, and what it must show all the same: us, Node, and what was configured. */
export function wallsFor({ places, agents }: Inside): Walls {
  const homes = [homedir(), stateFolder(), dirname(userConfigFile())];
  return {
    hidden: [...homes, places.top].filter((path) => existsSync(path)),
    readable: [resolve(OURS), dirname(process.execPath), ...filesOfAgents(agents)],
  };
}

/** A command is often an interpreter and a file: the file is the program. And the logins that they need. */
function filesOfAgents(agents: Inside["agents"]): readonly string[] {
  const named = agents.flatMap(playersOf).flatMap(filesOf);
  return [...new Set(named)].filter((word) => isAbsolute(word) && existsSync(word));
}

function filesOf(choice: AgentChoice): readonly string[] {
  const words = choice.driver === "acp" ? [choice.profile.command, ...choice.profile.args] : [];
  return [...(choice.driver === "command" ? choice.argv : words), ...loginsOf(choice)];
}
