import type { z } from "zod";
import type { Confidence } from "../core/authoring/end.ts";
import type { Pipeline } from "../core/authoring/pipeline.ts";
import type { Limits } from "../core/budget/budget.ts";
import type { QuotaPolicy } from "../core/budget/quota.ts";
import { show } from "../core/contract/problem.ts";
import { SignalboxError } from "../core/failure/errors.ts";
import type { Command, ExamHalves, SetupCommand, WriteRequest } from "../core/journal/effect.ts";
import type { Identity } from "../core/journal/identity.ts";
import type { JournalRecord, RecordBody } from "../core/journal/record.ts";
import type { Handlers, Host, StampedRecord } from "../core/ports/host.ts";
import type { StoredCheckout } from "../core/ports/workspace.ts";
import type { World } from "../core/ports/world.ts";
import { type Json, toJson } from "../core/text/json.ts";
import { redactDeep } from "../core/text/redact-deep.ts";
import { driveToConclusion } from "./drive/drive.ts";
import { CHAIN_START, hashChain } from "./drive/recorder.ts";
import { forkRun } from "./replay/fork-start.ts";
import { hashPipeline } from "./replay/pipeline-hash.ts";
import type { SuggestFixes } from "./run.ts";
import { runId } from "./run-id.ts";

export type RunOrder = {
  readonly pipeline: string;
  readonly input: unknown;
  /** The path of the repository; `ps` filters by it. */
  readonly repo: string;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly approvals: "interactive" | "autonomous";
  readonly commands: readonly Command[];
  readonly setup?: SetupCommand;
  readonly protectedPaths?: readonly string[];
  readonly exam?: ExamHalves;
  /** Target of process documents: `apart`, `none` or a folder. If absent, they are part of the commit of the work. */
  readonly documents?: string;
  /** The reason why a run needs no command of the project, given by a person. */
  readonly exempt?: string;
  /** The place where that reason was given. */
  readonly exemptFrom?: string;
  /** The policy settings as they were found; missing ones keep their defaults. */
  readonly policy?: unknown;
  /** The author of commits; the engine itself if absent. */
  readonly identity?: Identity | undefined;
  readonly limits: Limits;
  readonly minConfidence: Confidence;
  /** Starts with the records of another run of the same pipeline from before this phase. */
  readonly from?: {
    readonly records: readonly JournalRecord[];
    readonly phase: string;
    /** The number of the visit to the phase; the last one if absent. */
    readonly arrival?: number | undefined;
  };
  /**
   * Called under the run's id before the run exists, so that the run and its checkout are found together even if the
   * starter dies.
   */
  readonly before?: (run: string) => Promise<StoredCheckout>;
};

export type EngineDeps = {
  readonly host: Host;
  readonly world: World;
  readonly pipelines: (name: string) => Pipeline | undefined;
  /** Performs effects on this machine. */
  readonly performer: Pick<Handlers, "perform" | "recover"> & {
    /** Writes again the files that a run wrote for people, if they are missing. */
    restore?(run: string, lost: readonly WriteRequest[]): Promise<void>;
    /** Reverts files of the checkout that a canceled run had marked. Files changed since stay. */
    undo?(run: string, writes: readonly WriteRequest[]): Promise<void>;
    /** Removes what this machine stored for continuing attempts: the run has ended. */
    tidy?(run: string): Promise<void>;
  };
  /** Identifies this process among all that may own a run. */
  readonly owner: string;
  /**
   * True if someone can answer meanwhile: an open question then keeps the run active instead of suspending it. With a
   * signal, until nobody can answer any more.
   */
  readonly waits: boolean | AbortSignal;
  /** True if the engine waits for a run that another engine owns, as a worker does, instead of refusing it. */
  readonly patient: boolean;
  /** True if the journal is only compared with the code: no own work of the pipeline is performed. */
  readonly replays?: true;
  /** The sandbox of agents and checks on this machine, for the record. */
  readonly sandbox?: string;
  /** The policy while the usage window of an agent is used up; default `wait`. */
  readonly usageWindow?: QuotaPolicy;
  /**
   * Suggests fixes for commands that cannot run, from knowledge of the project. If absent, the end of a run says only
   * what happened.
   */
  readonly cures?: SuggestFixes;
};

export type Engine = {
  readonly handlers: Handlers;
  /** Records a new run; nothing is performed until it is driven. */
  start(order: RunOrder): Promise<string>;
};

export function createEngine(parts: EngineDeps): Engine {
  return {
    handlers: {
      drive: (run, signal) => driveToConclusion(parts, run, signal),
      perform: (effect, signal) => parts.performer.perform(effect, signal),
      recover: (effect, signal) => parts.performer.recover(effect, signal),
    },
    start: (order) => start(parts, order),
  };
}

async function start(parts: EngineDeps, order: RunOrder): Promise<string> {
  const { host, world } = parts;
  const pipeline = parts.pipelines(order.pipeline);
  if (!pipeline) {
    throw new SignalboxError(
      "PIPELINE_UNKNOWN",
      `There is no pipeline "${order.pipeline}".`,
      "See `signalbox pipelines list`.",
    );
  }
  // The input is recorded, shown and sent to the model of every agent.
  const input = redactDeep(parseInput(pipeline, order.input), world.redact);
  const policy = parsePolicy(pipeline, order.policy);
  requireChecks(order);
  const run = runId(world.now(), world.newId());
  const { checkout } = (await order.before?.(run)) ?? {};
  const fact: RunStart = {
    type: "run.started",
    pipeline: pipeline.name,
    version: pipeline.version,
    hash: hashPipeline(world, pipeline),
    input,
    phases: pipeline.phases.map((phase) => phase.title),
    approvals: order.approvals,
    base: { ...order.base },
    ...(checkout === undefined ? {} : { checkout }),
    commands: order.commands.map((command) => ({ ...command })),
    ...(order.setup ? { setup: { ...order.setup } } : {}),
    ...(order.protectedPaths ? { protectedPaths: [...order.protectedPaths] } : {}),
    ...(order.exam ? { exam: { tests: [...order.exam.tests], code: [...order.exam.code] } } : {}),
    ...(order.documents === undefined ? {} : { documents: order.documents }),
    ...(policy === undefined ? {} : { policy }),
    preflight: true,
    ...toExemption(order),
    ...(order.identity ? { identity: order.identity } : {}),
    limits: order.limits,
    minConfidence: order.minConfidence,
  };
  const facts = order.from ? forkRecords(fact, order.from, run) : [fact];
  await host.runs.create({ id: run, pipeline: pipeline.name, repo: order.repo }, stampRecords(world, run, facts));
  return run;
}

type RunStart = Extract<RecordBody, { type: "run.started" }>;

function forkRecords(start: RunStart, order: NonNullable<RunOrder["from"]>, run: string): RecordBody[] {
  const { from, taken } = forkRun({ ...order, run, start });
  return [{ ...start, from }, ...taken];
}

/** The exemption counts only if there is no command. */
function toExemption({ exempt, exemptFrom, commands }: RunOrder): Pick<RunOrder, "exempt" | "exemptFrom"> {
  if (exempt === undefined || commands.length > 0) return {};
  return { exempt, ...(exemptFrom === undefined ? {} : { exemptFrom }) };
}

/** Throws unless an autonomous run has commands, or a stated reason why no command of the project judges it. */
function requireChecks({ commands, approvals, exempt }: RunOrder): void {
  if (commands.length > 0 || exempt !== undefined || approvals === "interactive") return;
  throw new SignalboxError(
    "NO_CHECKS",
    "No check command is configured for this repository, and an autonomous run cannot ask whether that is intended.",
    "Configure commands in .signalbox/config.yaml (the project's files declare none), or state there why none are needed: `no-checks: <reason>`.",
  );
}

function stampRecords(world: World, run: string, facts: readonly RecordBody[]): StampedRecord[] {
  let chain = CHAIN_START;
  return facts.map((fact, index) => {
    const bare = { ...fact, v: 1 as const, seq: index + 1, ts: world.now(), run };
    chain = hashChain(world, chain, bare);
    return { ...bare, chain };
  });
}

function parsePolicy({ name, policy }: Pipeline, given: unknown): Json | undefined {
  if (!policy) return undefined;
  const parsed = policy.schema.safeParse(given ?? {});
  if (parsed.success) return toJson(parsed.data);
  throw new SignalboxError(
    "INPUT_INVALID",
    `Invalid policy for ${name}. ${formatPolicyProblems(parsed.error, given).join("; ")}`,
    `Correct ${policy.file}, or \`pipelines.${name}.policy\` of the configuration; nothing was started.`,
  );
}

function formatPolicyProblems({ issues }: z.ZodError, given: unknown): readonly string[] {
  return issues.flatMap((issue) => {
    const where = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => `${[where, key].filter(Boolean).join(".")}: unknown setting`);
    const found = issue.path.reduce<unknown>((at, key) => (isObject(at) ? at[String(key)] : undefined), given);
    return [`${where || "the policy"}: ${issue.message}; found ${JSON.stringify(found) ?? "nothing"}`];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function parseInput(pipeline: Pipeline, input: unknown): Json {
  const parsed = pipeline.input.safeParse(input);
  if (parsed.success) return toJson(parsed.data) ?? null;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[String(key)] : undefined), input);
    const expected = message.replace(/^Invalid input: /, "").replace(/, received .*$/, "");
    return path.length === 0
      ? `input: ${expected}`
      : `${path.map(String).join(".")}: ${expected}, found ${show(found)}`;
  });
  throw new SignalboxError(
    "INPUT_INVALID",
    `Invalid input for ${pipeline.name}. ${problems.join("; ")}`,
    `Show its input fields with \`signalbox pipelines show ${pipeline.name}\`.`,
  );
}
