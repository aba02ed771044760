import { type Login, loginOf } from "./agent-login.ts";
import { type InstalledAgent, installedAgents } from "./installed-agents.ts";

/** An installed agent that could be given the roles. */
export type Candidate = InstalledAgent & { readonly login?: Login };

export async function candidates(now: number): Promise<readonly Candidate[]> {
  return (await installedAgents()).map((agent) => {
    const login = loginOf(agent, now);
    return login ? { ...agent, login } : agent;
  });
}

/** The one to propose: somebody who is logged in, else whoever is there. */
export function firstOf(agents: readonly Candidate[]): Candidate | undefined {
  return agents.find(({ login }) => login?.found) ?? agents[0];
}
