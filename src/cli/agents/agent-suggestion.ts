import { findLogin, type LoginState } from "./agent-login.ts";
import { type InstalledAgent, listInstalledAgents } from "./installed-agents.ts";

/** An installed agent that can be assigned to roles. */
export type AgentCandidate = InstalledAgent & { readonly login?: LoginState };

export async function listAgentCandidates(now: number): Promise<readonly AgentCandidate[]> {
  return (await listInstalledAgents()).map((agent) => {
    const login = findLogin(agent, now);
    return login ? { ...agent, login } : agent;
  });
}

/** Returns the agent to propose: the first one with a login, else the first one installed. */
export function suggestAgent(agents: readonly AgentCandidate[]): AgentCandidate | undefined {
  return agents.find(({ login }) => login?.found) ?? agents[0];
}
