import type { z } from "zod";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { counted } from "../../core/text/count.ts";
import { chooseSandbox } from "../../processes/sandbox/sandbox.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import { type AgentLookup, describeAgent } from "../agents/agents.ts";
import { resolveRoleDefinition } from "../agents/definitions.ts";
import type { Call } from "../call.ts";
import type { Symptom } from "../doctor/symptom.ts";
import { findTeamObstacles } from "../doctor/team-symptoms.ts";
import { formatEnvironment } from "../project/environment.ts";
import type { Project } from "../project/project.ts";
import type { Settings } from "../project/settings.ts";
import { withRunStore } from "../runs/run-store.ts";
import { resolveTeam } from "../team/team.ts";
import { mayRun, type Trust } from "../trust/trust.ts";
import { computeForecast, type Forecast, formatForecast } from "./forecast.ts";
import { type EarlierRun, noteOtherBase, noteSeveralArrivals } from "./from-run.ts";
import { listRunProblems } from "./run-problems.ts";

export type RunPlan = {
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly agents: AgentLookup;
  readonly settings: Settings;
  readonly input: unknown;
  readonly policy: unknown;
  readonly earlier?: EarlierRun;
};

/** Prints what a run would consist of. Nothing is dispatched, created or written. */
export async function printRunPlan(call: Call, intended: RunPlan): Promise<number> {
  requireValidInput(intended);
  const { project, pipeline, settings, input, earlier } = intended;
  const sandbox = await chooseSandbox(settings.sandbox);
  const phases = listPlannedPhases(intended);
  const { top } = project.places;
  const team = await resolveTeam(call, project.places);
  const workers = team && (await findTeamObstacles(team, project, intended));
  const lacks = [
    ...(await listRunProblems({ ...intended, top, workers })),
    ...(earlier ? [...noteSeveralArrivals(earlier), ...(await noteOtherBase(earlier, top))] : []),
  ];
  const at = { repo: top, pipeline: pipeline.name };
  const unseen = workers?.some(({ what }) => what === "postgres") ?? false;
  const look = () =>
    withRunStore(
      call,
      ({ host }) => computeForecast(host, at),
      () => undefined,
    );
  const forecast = unseen ? undefined : await look();
  if (!call.json) {
    for (const line of formatPlan(call, { intended, phases, forecast, lacks, sandbox: sandbox.summary }))
      call.print(line);
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
    trust: { standing: project.trust, hash: project.repositoryCode.hash, shown: project.repositoryCode.shown },
    sandbox: sandbox.summary,
    approvals,
    minConfidence,
    setup: setup ?? null,
    commands,
    environment: formatEnvironment(settings.environment),
    protected: protectedPaths,
    limits,
    input,
    forecast: forecast ?? null,
    lacks,
    from: earlier ? toForkDocument(earlier) : null,
    phases,
  });
  return 0;
}

function requireValidInput({ pipeline, input, policy }: RunPlan): void {
  const knobs = policy === undefined ? undefined : pipeline.policy?.schema.safeParse(policy);
  if (knobs?.success === false) throw createInvalidPolicyError(pipeline, formatIssues(knobs.error, "policy"));
  const parsed = pipeline.input.safeParse(input);
  if (parsed.success) return;
  const problems = formatIssues(parsed.error, "input");
  throw new SignalboxError(
    "INPUT_INVALID",
    `Invalid input for ${pipeline.name}: ${problems.join("; ")}`,
    `Show the expected input with \`signalbox pipelines show ${pipeline.name}\`.`,
  );
}

function createInvalidPolicyError({ name, policy }: Pipeline, problems: readonly string[]): SignalboxError {
  return new SignalboxError(
    "INPUT_INVALID",
    `Invalid policy for ${name}: ${problems.join("; ")}`,
    `Fix ${policy?.file ?? "it"}, or pipelines.${name}.policy in the configuration.`,
  );
}

function formatIssues({ issues }: z.ZodError, whole: string): readonly string[] {
  return issues.map((issue) => `${issue.path.join(".") || whole}: ${issue.message}`);
}

type PlannedPhases = readonly {
  readonly title: string;
  readonly reused: boolean;
  readonly roles: readonly { readonly role: string; readonly agent: string; readonly prompt: string }[];
}[];

function listPlannedPhases({ pipeline, agents, project, earlier }: RunPlan): PlannedPhases {
  const files = project.repositoryCode.agentFiles;
  const first = pipeline.phases.findIndex((phase) => phase.title === earlier?.phase);
  return pipeline.phases.map(({ title, roles = [] }, at) => ({
    title,
    reused: at < first,
    roles: roles.map(({ name: role }) => {
      const choice = agents(role);
      return {
        role,
        agent: describeAgent(choice),
        prompt: resolveRoleDefinition({ pipeline, role, files, choice }).from,
      };
    }),
  }));
}

type DryRunReport = {
  readonly intended: RunPlan;
  readonly phases: PlannedPhases;
  readonly forecast: Forecast | undefined;
  readonly lacks: readonly Symptom[];
  readonly sandbox: string;
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  apart: "in a separate commit on top of the work",
  none: "in no commit; they stay in .signalbox/runs",
};

function formatPlan({ paint }: Call, { intended, phases, forecast, lacks, sandbox }: DryRunReport): readonly string[] {
  const { pipeline, settings, project, earlier } = intended;
  const { commands, setup, approvals, protectedPaths, documents } = settings;
  const roles = phases.flatMap(({ title, reused, roles: playing }) => [
    `  ${reused ? paint.dim(`${title} (reused from ${earlier?.run})`) : title}`,
    ...playing.map(({ role, agent, prompt }) => {
      const from = prompt === "built in" ? "" : `  prompt ${prompt}`;
      return `    ${role.padEnd(24)} ${agent === "nobody" ? paint.red(agent) : paint.dim(`${agent}${from}`)}`;
    }),
  ]);
  return [
    `${paint.bold(pipeline.name)} v${pipeline.version} · approvals ${approvals} · up to ${pipeline.cap} agents at once${formatLimits(settings)}`,
    ...roles,
    commands.length > 0 ? "  checks run by the engine" : "  no checks configured or detected",
    ...(setup ? [`    ${"setup".padEnd(24)} ${paint.dim(toOneLine(setup.run))}`] : []),
    ...commands.map(({ name, run, from }) => `    ${name.padEnd(24)} ${paint.dim(`${toOneLine(run)}  (${from})`)}`),
    ...formatEnvironment(settings.environment).map((line) => `    ${"environment".padEnd(24)} ${paint.dim(line)}`),
    ...(protectedPaths.length > 0 ? [`  protected: ${protectedPaths.join(", ")}`] : []),
    ...(documents !== undefined && pipeline.documents
      ? [`  documents: ${DOCUMENTS[documents] ?? `in ${documents}`}`]
      : []),
    `  ${sandbox}`,
    ...(forecast ? [`  ${formatForecast(forecast)}`] : []),
    ...formatTrust(project),
    ...formatSymptoms(paint, lacks),
    "Nothing was dispatched.",
  ];
}

function formatSymptoms(paint: Paint, lacks: readonly Symptom[]): readonly string[] {
  return lacks.flatMap(({ state, what, says, get }) => {
    const line = `${what}: ${says}`;
    const text = state === "missing" ? paint.red(`✗ ${line}`) : paint.yellow(`! ${line}`);
    return [`  ${text}`, ...(get === undefined ? [] : [`      ${paint.cyan(get)}`])];
  });
}

const TRUST_TEXT: Readonly<Partial<Record<Trust, string>>> = {
  "nothing brought": "not needed, the repository has no code to run",
  "this call": "for this call",
};

function formatTrust({ trust, repositoryCode }: Project): readonly string[] {
  if (mayRun(trust)) return [`  trust: ${TRUST_TEXT[trust] ?? trust}`];
  return [`  trust: ${trust}; a run would ask you to trust this`, ...repositoryCode.shown.map((line) => `    ${line}`)];
}

function formatLimits({ limits: { usd, timeMs, dispatches } }: Settings): string {
  const texts = [
    usd === undefined ? "" : `at most ${usd} USD`,
    timeMs === undefined ? "" : `at most ${formatDuration(timeMs)}`,
    dispatches === undefined ? "" : `at most ${counted(dispatches, "dispatch", "dispatches")}`,
  ].filter(Boolean);
  return texts.map((text) => ` · ${text}`).join("");
}

function toForkDocument({ run, phase, arrival, arrivals, base }: EarlierRun) {
  return { run, phase, arrival: arrival.number, arrivals: arrivals.length, base: base.commit };
}
