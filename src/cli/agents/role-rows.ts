import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { Call } from "../call.ts";
import { type Layer, layersOf } from "../project/config-sources.ts";
import { lookAtProject } from "../project/project.ts";
import { settingsOf } from "../project/settings.ts";
import { mayRun } from "../trust/trust.ts";
import {
  type AgentChoice,
  type AgentFlags,
  agentsFrom,
  describeAgent,
  isInstalled,
  knownProgram,
  withFallbacks,
} from "./agents.ts";
import { defineRoleFrom, type RoleDefinition } from "./definitions.ts";
import { type UnusedFile, unusedAmong } from "./ignored-definitions.ts";

/** A role of a pipeline and everything that plays into it. */
export type RoleRow = Omit<RoleDefinition, "prompt"> & {
  readonly pipeline: string;
  /** Who plays it, with the model that counts; then who plays instead. */
  readonly agent: string;
  readonly agentFrom: string;
  /** Why the role cannot be played. */
  readonly missing?: string;
  /** What to do about that. */
  readonly next?: string;
};

export type Roles = { readonly rows: readonly RoleRow[]; readonly unused: readonly UnusedFile[] };

export type RolesFlags = AgentFlags & { readonly trust?: boolean };

export async function rolesOf(call: Call, name: string | undefined, flags: RolesFlags): Promise<Roles> {
  const { pipelines, drivers, repositoryCode, places, trust } = await lookAtProject(call, flags);
  const layers = await layersOf(places);
  const known = pipelines.all.map(({ pipeline }) => pipeline);
  const asked = name === undefined ? known : [pipelines.get(name)];
  const agents = agentsFrom(flags, settingsOf(layers), drivers);
  const files = repositoryCode.agentFiles;
  const withModel = (pipeline: Pipeline, role: string) => (choice: AgentChoice) =>
    describeAgent({ ...choice, ...modelOf(defineRoleFrom({ pipeline, role, files, choice })) });
  const untrusted = mayRun(trust) ? undefined : untrustedWith(repositoryCode.files.length);
  const rows = asked.flatMap((pipeline) =>
    pipeline.roles.map(({ name: role }): RoleRow => {
      const choice = agents(role);
      const { prompt: _prompt, ...definition } = defineRoleFrom({ pipeline, role, files, choice });
      const own = definition.from === "built in" ? undefined : untrusted;
      return {
        pipeline: pipeline.name,
        ...definition,
        agent: withFallbacks(choice).map(withModel(pipeline, role)).join(", instead ") || "nobody",
        agentFrom: saidBy(layers, role, flags),
        ...(absent(choice) ?? own),
      };
    }),
  );
  return { rows, unused: unusedAmong(files, known) };
}

function untrustedWith(files: number) {
  const missing = `a run needs your yes to ${files} ${files === 1 ? "file" : "files"} first`;
  return { missing, next: "signalbox init" };
}

const modelOf = ({ model }: RoleDefinition) => (model === undefined ? {} : { model });

function absent(choice: AgentChoice | undefined) {
  if (!choice) return { missing: "nobody plays it", next: '--agent "*=codex", or agents: in .signalbox/config.yaml' };
  const lost = withFallbacks(choice).find(({ driver: { program } }) => program !== undefined && !isInstalled(program));
  if (!lost) return undefined;
  const { program } = lost.driver;
  const install = knownProgram(lost)?.install;
  return { missing: `${program} is not on the PATH`, next: install ?? `put ${program} on the PATH` };
}

function saidBy(layers: readonly Layer[], role: string, { agent, agents }: AgentFlags): string {
  if (agent.some((each) => each.startsWith(`${role}=`) || each.startsWith("*="))) return "--agent";
  if (agents !== undefined) return "--agents";
  const says = (name: string): Layer | undefined => layers.find(({ config }) => config.agents?.[name]);
  return (says(role) ?? says("*"))?.from ?? "nowhere";
}
