import { type Login, loginOf } from "./agent-login.ts";
import { type InstalledAgent, installedAgents } from "./installed-agents.ts";

/** An installed agent that can be assigned to roles. */
export type Candidate = InstalledAgent & { readonly login?: Login };

export async function candidates(now: number): Promise<readonly Candidate[]> {
  return (await installedAgents()).map((agent) => {
    const login = loginOf(agent, now);
    return login ? { ...agent, login } : agent;
  });
}

/** Returns the agent to propose: the first one with a login, else the first one installed. */
export function firstOf(agents: readonly Candidate[]): Candidate | undefined {
  return agents.find(({ login }) => login?.found) ?? agents[0];
}
