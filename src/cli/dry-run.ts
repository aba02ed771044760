import type { Limits } from "../core/budget.ts";
import type { Command } from "../core/effect.ts";
import { SignalboxError } from "../core/errors.ts";
import type { Pipeline } from "../core/pipeline.ts";
import { type Agents, describeAgent } from "./agents.ts";
import type { Call } from "./call.ts";

export type Intended = {
  readonly pipeline: Pipeline;
  readonly agents: Agents;
  readonly approvals: string;
  readonly commands: readonly Command[];
  readonly limits: Limits;
  readonly input: unknown;
};

/** What a run would be made of. Nothing is dispatched, created or written. */
export function dryRun(call: Call, intended: Intended): number {
  const { pipeline, agents, approvals, commands, limits, input } = intended;
  const parsed = pipeline.input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
    throw new SignalboxError(
      "INPUT_INVALID",
      `The input of ${pipeline.name} does not fit. ${problems.join("; ")}`,
      `See what it takes with \`signalbox pipelines show ${pipeline.name}\`.`,
    );
  }
  const phases = pipeline.phases.map(({ title, roles = [] }) => ({
    title,
    roles: roles.map(({ name }) => ({ role: name, agent: describeAgent(agents(name)) })),
  }));
  if (call.json) {
    const { name, version, cap } = pipeline;
    call.emit({ v: 1, dryRun: true, pipeline: name, version, cap, approvals, commands, limits, input, phases });
    return 0;
  }
  const { paint } = call;
  call.print(
    `${paint.bold(pipeline.name)} v${pipeline.version} · approvals ${approvals} · up to ${pipeline.cap} agents at once`,
  );
  for (const { title, roles } of phases) {
    call.print(`  ${title}`);
    for (const { role, agent } of roles) call.print(`    ${role.padEnd(24)} ${paint.dim(agent)}`);
  }
  call.print(commands.length > 0 ? "  checks that the engine would run" : "  no checks are configured");
  for (const { name, run } of commands) call.print(`    ${name.padEnd(24)} ${paint.dim(run)}`);
  call.print("Nothing was dispatched.");
  return 0;
}
