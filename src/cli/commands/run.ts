import type { Confidence } from "../../core/end.ts";
import { type AgentFlags, agentsFrom, requireAgents } from "../agents.ts";
import { openProject, withApp } from "../app.ts";
import type { Call } from "../call.ts";
import { driveRun } from "../drive-run.ts";
import { dryRun } from "../dry-run.ts";
import { inputFrom } from "../input.ts";
import { type LimitFlags, limitsFrom } from "../limits.ts";
import { keepNotes } from "../start-notes.ts";
import { isTrusted } from "../trust.ts";

export type RunFlags = LimitFlags &
  AgentFlags & {
    readonly input: readonly string[];
    readonly approvals?: "interactive" | "autonomous";
    readonly minConfidence: Confidence;
    readonly dryRun?: boolean;
    readonly trust?: boolean;
  };
export type RunAsked = { readonly pipeline: string; readonly request: string | undefined; readonly flags: RunFlags };

export async function run(call: Call, { pipeline: name, request, flags }: RunAsked): Promise<number> {
  const project = await openProject(call, isTrusted(flags.trust));
  const { config, places } = project;
  const pipeline = project.pipelines.get(name);
  const agents = agentsFrom(flags, config);
  const approvals = flags.approvals ?? config?.approvals ?? "interactive";
  const commands = Object.entries(config?.commands ?? {}).map(([command, line]) => ({ name: command, run: line }));
  const limits = limitsFrom(flags) ?? {};
  const input = await inputFrom(pipeline, { input: flags.input, ...(request === undefined ? {} : { request }) });
  if (flags.dryRun) return dryRun(call, { pipeline, agents, approvals, commands, limits, input });
  await requireAgents(pipeline, agents);
  return withApp(project, { agents, waits: call.terminal }, async ({ engine, host, workspace }) => {
    const { commit, tree } = await workspace.head();
    const order = { pipeline: name, input, repo: places.top, base: { commit, tree }, approvals, commands, limits };
    const id = await engine.start({ ...order, minConfidence: flags.minConfidence });
    const phases = pipeline.phases.map((phase) => phase.title);
    await keepNotes(places, id, { agents: flags, phases });
    return driveRun(call, host, id);
  });
}
