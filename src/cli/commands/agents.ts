import { table } from "../../surfaces/terminal/table.ts";
import { type AgentFlags, type Agents, agentsFrom, describeAgent, isInstalled, programOf } from "../agents.ts";
import { lookAtProject } from "../app.ts";
import type { Call } from "../call.ts";
import { defineRoleFrom, type RoleDefinition } from "../definitions.ts";
import type { Layer } from "../layers.ts";
import { layersOf } from "../layers.ts";
import { settingsOf } from "../settings.ts";
import { mayRun } from "../trust.ts";

export type AgentsFlags = AgentFlags & { readonly trust?: boolean };

type RoleRow = Omit<RoleDefinition, "prompt"> & {
  readonly pipeline: string;
  readonly agent: string;
  readonly agentFrom: string;
  /** Why the role cannot be played. */
  readonly missing?: string;
};

/** Who plays each role, with which prompt and model, where that was said, and what does not count. */
export async function list(call: Call, pipeline: string | undefined, flags: AgentsFlags): Promise<number> {
  const rows = await rowsOf(call, pipeline, flags);
  if (call.json) call.emit({ v: 1, roles: rows });
  else for (const line of linesOf(call, rows)) call.print(line);
  return 0;
}

/** The same, judged: 4 when a role cannot be played. */
export async function check(call: Call, pipeline: string | undefined, flags: AgentsFlags): Promise<number> {
  const rows = await rowsOf(call, pipeline, flags);
  const bad = rows.filter(({ missing, problem }) => missing !== undefined || problem !== undefined);
  if (call.json) call.emit({ v: 1, ok: bad.length === 0, roles: rows });
  else {
    for (const { pipeline: name, role, missing, problem, from } of bad) {
      call.print(
        `${call.paint.red("✗")} ${name} ${call.paint.bold(role)}  ${problem ? `${from}: ${problem}` : missing}`,
      );
    }
    for (const line of ignoredLines(call, rows)) call.print(line);
    call.print(
      bad.length === 0
        ? `${call.paint.green("✓")} every role can be played (${rows.length})`
        : `roles that cannot be played: ${bad.length} of ${rows.length}`,
    );
  }
  return bad.length === 0 ? 0 : 4;
}

async function rowsOf(call: Call, name: string | undefined, flags: AgentsFlags): Promise<readonly RoleRow[]> {
  const { pipelines, brought, places, trust } = await lookAtProject(call, flags);
  const layers = await layersOf(places);
  const asked = name === undefined ? pipelines.all.map(({ pipeline }) => pipeline) : [pipelines.get(name)];
  const agents = agentsFrom(flags, settingsOf(layers));
  const untrusted = mayRun(trust) ? undefined : `a run needs your yes to ${brought.files.length} files first`;
  return asked.flatMap((pipeline) =>
    pipeline.roles.map(({ name: role }) => {
      const choice = agents(role);
      const { prompt: _prompt, ...definition } = defineRoleFrom({ pipeline, role, files: brought.agentFiles, choice });
      const missing = missingOf(role, agents) ?? (definition.from === "built in" ? undefined : untrusted);
      const row = {
        pipeline: pipeline.name,
        ...definition,
        agent: describeAgent(choice),
        agentFrom: saidBy(layers, role, flags),
      };
      return missing === undefined ? row : { ...row, missing };
    }),
  );
}

function missingOf(role: string, agents: Agents): string | undefined {
  const choice = agents(role);
  if (!choice) return "nobody plays it";
  const program = programOf(choice);
  return program === undefined || isInstalled(program) ? undefined : `${program} is not on the PATH`;
}

function saidBy(layers: readonly Layer[], role: string, { agent, agents }: AgentFlags): string {
  if (agent.some((each) => each.startsWith(`${role}=`) || each.startsWith("*="))) return "--agent";
  if (agents !== undefined) return "--agents";
  const says = (name: string): Layer | undefined => layers.find(({ config }) => config.agents?.[name]);
  return (says(role) ?? says("*"))?.from ?? "nowhere";
}

function linesOf(call: Call, rows: readonly RoleRow[]): readonly string[] {
  const { paint } = call;
  return [...Map.groupBy(rows, ({ pipeline }) => pipeline)].flatMap(([pipeline, roles]) => [
    paint.bold(pipeline),
    ...table(
      roles.map(({ role, agent, agentFrom, model, modelFrom, from, missing }) => [
        { text: `  ${role}` },
        { text: agent, painted: missing ? paint.red(agent) : agent },
        { text: model ? `${model} (${modelFrom})` : "", painted: paint.dim(model ? `${model} (${modelFrom})` : "") },
        { text: "", painted: paint.dim(`agent from ${agentFrom} · prompt ${from}${missing ? ` · ${missing}` : ""}`) },
      ]),
    ),
    ...ignoredLines(call, roles),
  ]);
}

function ignoredLines({ paint }: Call, rows: readonly RoleRow[]): readonly string[] {
  const lines = rows.flatMap(({ role, ignored, from }) =>
    ignored.map(({ what, because }) => `  ${paint.yellow("!")} ${role}: ${what} of ${from} is ignored: ${because}`),
  );
  return [...new Set(lines)];
}
