import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { AgentFile } from "./agent-files.ts";
import { type AgentChoice, type AgentLookup, describeAgent, listAgentChain } from "./agents.ts";
import { resolveRoleDefinition } from "./definitions.ts";

/** An agent with its model and the roles assigned to it. `roles` is empty if the agent is only installed. */
export type Assignment = { readonly choice: AgentChoice; readonly roles: readonly string[] };

export type AssignmentInput = {
  readonly pipelines: readonly Pipeline[];
  readonly agents: AgentLookup;
  readonly files: readonly AgentFile[];
};

/** Lists the agents of these pipelines, once per model, including fallbacks. */
export function listAssignments({ pipelines, agents, files }: AssignmentInput): readonly Assignment[] {
  const assigned = new Map<string, { choice: AgentChoice; roles: Set<string> }>();
  for (const pipeline of pipelines) {
    for (const { name: role } of pipeline.roles) {
      for (const choice of listAgentChain(agents(role))) {
        const { model } = resolveRoleDefinition({ pipeline, role, files, choice });
        const full = model === undefined ? choice : { ...choice, model };
        const name = describeAgent(full);
        const entry = assigned.get(name) ?? { choice: full, roles: new Set() };
        assigned.set(name, { ...entry, roles: entry.roles.add(role) });
      }
    }
  }
  return [...assigned.values()].map(({ choice, roles }) => ({ choice, roles: [...roles].sort() }));
}
