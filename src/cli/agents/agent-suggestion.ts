import { type Login, loginOf } from "./agent-login.ts";
import { agentsFrom } from "./agents.ts";
import { type InstalledAgent, installedAgents } from "./installed-agents.ts";

/** An installed agent that could be given the roles. */
export type Candidate = InstalledAgent & { readonly login?: Login };

export async function candidates(now: number): Promise<readonly Candidate[]> {
  return (await installedAgents()).map((agent) => {
    const choice = agent.driver && agentsFrom({ agent: [`*=${agent.driver}`] }, { agents: {}, drivers: {} })("*");
    const login = choice && loginOf(choice, now);
    return login ? { ...agent, login } : agent;
  });
}

export const isUsable = ({ driver }: Candidate): boolean => driver !== undefined;

/** The one to propose: somebody who is logged in, else whoever is there. */
export function firstOf(agents: readonly Candidate[]): Candidate | undefined {
  const usable = agents.filter(isUsable);
  return usable.find(({ login }) => login?.found) ?? usable[0];
}
