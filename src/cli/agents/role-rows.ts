import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { Call } from "../call.ts";
import { type ConfigLayer, loadConfigLayers } from "../project/config-sources.ts";
import { inspectProject } from "../project/project.ts";
import { resolveSettings } from "../project/settings.ts";
import { mayRun } from "../trust/trust.ts";
import {
  type AgentChoice,
  type AgentFlags,
  createAgentLookup,
  describeAgent,
  findAgentProgram,
  isInstalled,
  listAgentChain,
} from "./agents.ts";
import { type RoleDefinition, resolveRoleDefinition } from "./definitions.ts";
import { listUnusedDefinitions, type UnusedDefinition } from "./ignored-definitions.ts";

/** A role of a pipeline with its agent and definition. */
export type RoleRow = Omit<RoleDefinition, "prompt"> & {
  readonly pipeline: string;
  /** The agent with its effective model, followed by its fallbacks. */
  readonly agent: string;
  readonly agentFrom: string;
  /** Reason why the role cannot run. */
  readonly missing?: string;
  /** Command or setting that fixes it. */
  readonly next?: string;
};

export type RoleTable = { readonly rows: readonly RoleRow[]; readonly unused: readonly UnusedDefinition[] };

export type RolesFlags = AgentFlags & { readonly trust?: boolean };

export async function loadRoles(call: Call, name: string | undefined, flags: RolesFlags): Promise<RoleTable> {
  const { pipelines, drivers, repositoryCode, places, trust } = await inspectProject(call, flags);
  const layers = await loadConfigLayers(places);
  const known = pipelines.all.map(({ pipeline }) => pipeline);
  const asked = name === undefined ? known : [pipelines.get(name)];
  const agents = createAgentLookup(flags, resolveSettings(layers), drivers);
  const files = repositoryCode.agentFiles;
  const withModel = (pipeline: Pipeline, role: string) => (choice: AgentChoice) =>
    describeAgent({ ...choice, ...pickModel(resolveRoleDefinition({ pipeline, role, files, choice })) });
  const untrusted = mayRun(trust) ? undefined : describeUntrusted(repositoryCode.files.length);
  const rows = asked.flatMap((pipeline) =>
    pipeline.roles.map(({ name: role }): RoleRow => {
      const choice = agents(role);
      const { prompt: _prompt, ...definition } = resolveRoleDefinition({ pipeline, role, files, choice });
      const own = definition.from === "built in" ? undefined : untrusted;
      return {
        pipeline: pipeline.name,
        ...definition,
        agent: listAgentChain(choice).map(withModel(pipeline, role)).join(", fallback ") || "nobody",
        agentFrom: findAgentSource(layers, role, flags),
        ...(findMissingAgent(choice) ?? own),
      };
    }),
  );
  return { rows, unused: listUnusedDefinitions(files, known) };
}

function describeUntrusted(files: number) {
  const missing = `${files} ${files === 1 ? "file of this repository is" : "files of this repository are"} not trusted yet`;
  return { missing, next: "signalbox init" };
}

const pickModel = ({ model }: RoleDefinition) => (model === undefined ? {} : { model });

function findMissingAgent(choice: AgentChoice | undefined) {
  if (!choice)
    return { missing: "no agent is assigned", next: '--agent "*=codex", or agents: in .signalbox/config.yaml' };
  const lost = listAgentChain(choice).find(({ driver: { program } }) => program !== undefined && !isInstalled(program));
  if (!lost) return undefined;
  const { program } = lost.driver;
  const install = findAgentProgram(lost)?.install;
  return { missing: `${program} is not on the PATH`, next: install ?? `put ${program} on the PATH` };
}

function findAgentSource(layers: readonly ConfigLayer[], role: string, { agent, agents }: AgentFlags): string {
  if (agent.some((each) => each.startsWith(`${role}=`) || each.startsWith("*="))) return "--agent";
  if (agents !== undefined) return "--agents";
  const findLayer = (name: string): ConfigLayer | undefined => layers.find(({ config }) => config.agents?.[name]);
  return (findLayer(role) ?? findLayer("*"))?.from ?? "nowhere";
}
