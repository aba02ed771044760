import { SignalboxError } from "../core/errors.ts";
import type { Pipeline } from "../core/pipeline.ts";
import { chooseSandbox } from "../processes/sandbox.ts";
import { oneLine } from "../surfaces/terminal/clean-text.ts";
import { duration } from "../surfaces/terminal/duration.ts";
import { type Agents, describeAgent } from "./agents.ts";
import type { Project } from "./app.ts";
import { withBook } from "./book.ts";
import type { Call } from "./call.ts";
import { defineRoleFrom } from "./definitions.ts";
import type { Earlier } from "./earlier-run.ts";
import { type Forecast, forecastLine, forecastOf } from "./forecast.ts";
import type { Settings } from "./settings.ts";
import { mayRun } from "./trust.ts";

export type Intended = {
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly agents: Agents;
  readonly settings: Settings;
  readonly input: unknown;
  readonly earlier?: Earlier;
};

/** What a run would be made of. Nothing is dispatched, created or written. */
export async function dryRun(call: Call, intended: Intended): Promise<number> {
  requireFit(intended);
  const { project, pipeline, settings, input, earlier } = intended;
  const sandbox = await chooseSandbox(settings.sandbox);
  const phases = phasesOf(intended);
  const at = { repo: project.places.top, pipeline: pipeline.name };
  const forecast = await withBook(
    call,
    ({ host }) => forecastOf(host, at),
    () => undefined,
  );
  if (!call.json) {
    for (const line of linesOf(call, { intended, phases, forecast, sandbox: sandbox.summary })) call.print(line);
    return 0;
  }
  const { name, version, cap } = pipeline;
  const { approvals, commands, setup, limits, minConfidence, protectedPaths } = settings;
  call.emit({
    v: 1,
    dryRun: true,
    pipeline: name,
    version,
    cap,
    trust: { standing: project.trust, hash: project.brought.hash, shown: project.brought.shown },
    sandbox: sandbox.summary,
    approvals,
    minConfidence,
    setup: setup ?? null,
    commands,
    protected: protectedPaths,
    limits,
    input,
    forecast: forecast ?? null,
    from: earlier ? { run: earlier.run, phase: earlier.phase } : null,
    phases,
  });
  return 0;
}

function requireFit({ pipeline, input }: Intended): void {
  const parsed = pipeline.input.safeParse(input);
  if (parsed.success) return;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
  throw new SignalboxError(
    "INPUT_INVALID",
    `The input of ${pipeline.name} does not fit. ${problems.join("; ")}`,
    `See what it takes with \`signalbox pipelines show ${pipeline.name}\`.`,
  );
}

type Phases = readonly {
  readonly title: string;
  readonly reused: boolean;
  readonly roles: readonly { readonly role: string; readonly agent: string; readonly prompt: string }[];
}[];

function phasesOf({ pipeline, agents, project, earlier }: Intended): Phases {
  const files = project.brought.agentFiles;
  const first = pipeline.phases.findIndex((phase) => phase.title === earlier?.phase);
  return pipeline.phases.map(({ title, roles = [] }, at) => ({
    title,
    reused: at < first,
    roles: roles.map(({ name: role }) => {
      const choice = agents(role);
      return { role, agent: describeAgent(choice), prompt: defineRoleFrom({ pipeline, role, files, choice }).from };
    }),
  }));
}

type Told = {
  readonly intended: Intended;
  readonly phases: Phases;
  readonly forecast: Forecast | undefined;
  readonly sandbox: string;
};

function linesOf({ paint }: Call, { intended, phases, forecast, sandbox }: Told): readonly string[] {
  const { pipeline, settings, project, earlier } = intended;
  const { commands, setup, approvals, protectedPaths } = settings;
  const roles = phases.flatMap(({ title, reused, roles: playing }) => [
    `  ${reused ? paint.dim(`${title} (reused from ${earlier?.run})`) : title}`,
    ...playing.map(({ role, agent, prompt }) => {
      const from = prompt === "built in" ? "" : `  prompt ${prompt}`;
      return `    ${role.padEnd(24)} ${agent === "nobody" ? paint.red(agent) : paint.dim(`${agent}${from}`)}`;
    }),
  ]);
  return [
    `${paint.bold(pipeline.name)} v${pipeline.version} · approvals ${approvals} · up to ${pipeline.cap} agents at once${limitText(settings)}`,
    ...roles,
    commands.length > 0 ? "  checks that the engine would run" : "  no checks: none is configured and none was found",
    ...(setup ? [`    ${"setup".padEnd(24)} ${paint.dim(oneLine(setup.run))}`] : []),
    ...commands.map(({ name, run, from }) => `    ${name.padEnd(24)} ${paint.dim(`${oneLine(run)}  (${from})`)}`),
    ...(protectedPaths.length > 0 ? [`  protected: ${protectedPaths.join(", ")}`] : []),
    `  ${sandbox}`,
    ...(forecast ? [`  ${forecastLine(forecast)}`] : []),
    ...trustLines(project),
    "Nothing was dispatched.",
  ];
}

function trustLines({ trust, brought }: Project): readonly string[] {
  if (mayRun(trust)) return [`  trust: ${trust === "recorded" ? "your yes is recorded" : trust}`];
  return [`  trust: ${trust}; a run would ask for your yes to this`, ...brought.shown.map((line) => `    ${line}`)];
}

function limitText({ limits: { usd, timeMs, dispatches } }: Settings): string {
  const texts = [
    usd === undefined ? "" : `at most ${usd} USD`,
    timeMs === undefined ? "" : `at most ${duration(timeMs)}`,
    dispatches === undefined ? "" : `at most ${dispatches} dispatches`,
  ].filter(Boolean);
  return texts.map((text) => ` · ${text}`).join("");
}
