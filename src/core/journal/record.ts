import { z } from "zod";
import { Brief } from "../authoring/brief.ts";
import { FinishedStatus, SuspendedStatus } from "../authoring/end.ts";
import { Finding } from "../authoring/finding.ts";
import { Limits } from "../budget/budget.ts";
import { CHECK_OUTCOMES } from "../checks/outcome/outcome.ts";
import { TestResults } from "../checks/outcome/test-results.ts";
import { Failure } from "../failure/failure.ts";
import { Json } from "../text/json.ts";
import { Identity } from "./identity.ts";
import { LedgerRow } from "./ledger.ts";
import { RunConfig } from "./run-config.ts";

/**
 * Journal: the ordered record of a run and the only source of truth. The records are also the public events; hosts,
 * surfaces, reports and tests all read the same stream.
 */
const step = { key: z.string() };
const place = { scope: z.string(), n: z.number().int() };
const dispatch = {
  ...step,
  role: z.string(),
  instance: z.string(),
  task: z.string().optional(),
  round: z.number().int(),
  attempt: z.number().int(),
};

/** Database role of the sender, in a team. */
const known = { role: z.string().optional() };

/** One execution of a configured command on a tree. */
export const RecordedRun = z.object({
  check: z.string(),
  tree: z.string(),
  command: z.string(),
  /** Folder of the tree, if not the top. */
  cwd: z.string().optional(),
  exitCode: z.number().nullable(),
  ms: z.number(),
  digest: z.string(),
  snippet: z.string(),
  /** Lines that explain the failure, for a command that is not green. */
  excerpt: z.string().optional(),
  /** Location of the full output, below the spool of the run. */
  output: z.string().optional(),
  /** 2 for the run that confirms a regression. */
  turn: z.number().int(),
  /** Reason why it is neither green nor red. */
  notRun: z.string().optional(),
  /** It wrote no report when one was requested, so none is requested on other trees. */
  unasked: z.literal(true).optional(),
  tests: TestResults.optional(),
});
export type RecordedRun = z.infer<typeof RecordedRun>;

const RECORDS = [
  z.object({
    type: z.literal("run.started"),
    pipeline: z.string(),
    version: z.number(),
    hash: z.string(),
    input: Json,
    /** Declared phases, so that pending phases can be shown without the pipeline's code. */
    phases: z.array(z.string()),
    approvals: z.enum(["interactive", "autonomous"]),
    base: z.object({ commit: z.string(), tree: z.string() }),
    /** Commit that contains the checkout at the start of the run, in a team. */
    checkout: z.string().optional(),
    commands: z.array(z.object({ name: z.string(), run: z.string() })),
    setup: z.object({ run: z.string(), lockFile: z.string().optional() }).optional(),
    protectedPaths: z.array(z.string()).optional(),
    /** Location of process documents. Absent: in the commit of the work. */
    documents: z.string().optional(),
    /** Globs that a person assigned to the tests or to the code. */
    exam: z.object({ tests: z.array(z.string()), code: z.array(z.string()) }).optional(),
    policy: Json.optional(),
    /**
     * The engine checks prerequisites before the pipeline starts and before a commit. Absent in runs of earlier
     * versions.
     */
    preflight: z.literal(true).optional(),
    /** Reason that a person gave why no command of the project is needed. */
    exempt: z.string().optional(),
    /** Source of the exemption: a file, a variable or a flag. */
    exemptFrom: z.string().optional(),
    /** Identity of its commits. Default: the engine's own. */
    identity: Identity.optional(),
    limits: Limits,
    minConfidence: z.enum(["low", "medium", "high"]),
    /**
     * Run whose records were copied as its start, up to that phase; `seq` is the last copied record in this journal.
     */
    from: z
      .object({
        run: z.string(),
        phase: z.string(),
        seq: z.number().int(),
        /** Number of records of that run at the time of the copy. It may have continued since. */
        upTo: z.number().int().optional(),
        /** Findings for which that run was refused from that phase on. */
        refused: z.array(Finding).readonly().optional(),
        /**
         * Red runs of commands on a tree of that run, by turn. A pass on the same tree is then not sufficient on its
         * own.
         */
        seen: z.array(RecordedRun).readonly().optional(),
      })
      .optional(),
  }),
  /** An engine took ownership of the run. Not a fact about the pipeline, so the normal form omits it. */
  z.object({
    type: z.literal("engine.started"),
    owner: z.string(),
    fence: z.number().int(),
    hash: z.string(),
    /** Sandbox of agents and checks while this engine was the owner. */
    sandbox: z.string().optional(),
  }),
  /** A person resumed the run. New limits and a new configuration replace the old ones from here. */
  z.object({
    type: z.literal("run.resumed"),
    by: z.string(),
    ...known,
    note: z.string().optional(),
    limits: Limits.optional(),
    config: RunConfig.optional(),
  }),
  /** Signal that was ignored: it was unreadable, or its sender lacks the permission. */
  z.object({
    type: z.literal("letter.dropped"),
    of: z.string(),
    by: z.string(),
    ...known,
    why: z.string(),
  }),
  z.object({
    type: z.literal("step.started"),
    ...step,
    ...place,
    verb: z.string(),
    phase: z.string(),
    /** Hash of the verb's kind and input. A replay with another hash is refused. */
    print: z.string(),
  }),
  z.object({
    type: z.literal("step.finished"),
    ...step,
    value: Json.optional(),
    failure: Failure.optional(),
    /** All failures of a dispatch that failed more than once, `failure` last. */
    failures: z.array(Failure).optional(),
  }),
  z.object({
    type: z.literal("agent.started"),
    ...dispatch,
    effect: z.string(),
    nonce: z.string(),
    /** Position in the list of fallback agents. Absent for the first choice. */
    instead: z.number().int().optional(),
    /** Conversation of the interrupted previous attempt, which this one continues. */
    continues: z.string().optional(),
  }),
  z.object({
    type: z.literal("agent.finished"),
    ...dispatch,
    outcome: z.enum(["done", "failed", "interrupted"]),
    failure: Failure.optional(),
    ms: z.number().optional(),
    /** Driver, and the model if one was chosen. */
    by: z.string().optional(),
    usage: z
      .object({ inputTokens: z.number().optional(), outputTokens: z.number().optional(), usd: z.number().optional() })
      .optional(),
    after: z.string().optional(),
    changed: z.array(z.string()).optional(),
    outside: z.array(z.string()).optional(),
    /** Tree with the work of an attempt that failed only because of its answer. The next attempt starts with it. */
    kept: z.string().optional(),
    /** Number of times the agent was asked to repeat its answer in the same conversation. */
    repairs: z.number().int().optional(),
    adopted: z.literal(true).optional(),
    /** Fallback agent, set if a usage window is exhausted. */
    instead: z.string().optional(),
    /** Conversation of an interrupted attempt, which the next attempt continues. */
    session: z.string().optional(),
    /** A person or a limit stopped the engine or the worker. Not counted as an interruption. */
    orderly: z.literal(true).optional(),
    /** Worker that was stopped or died during the attempt, in a team. */
    worker: z.string().optional(),
    /** Limit, or person, that stopped it. */
    limit: z.string().optional(),
  }),
  z.object({
    type: z.literal("agent.retried"),
    ...dispatch,
    because: Failure,
    waitMs: z.number(),
    /** Same value as in `agent.started` of that attempt. */
    instead: z.number().int().optional(),
  }),
  z.object({ type: z.literal("claim.recorded"), ...dispatch, claim: Json }),
  z.object({
    type: z.literal("evidence.recorded"),
    ...step,
    ...RecordedRun.shape,
    task: z.string(),
    phase: z.enum(["baseline", "after"]),
    round: z.number().int(),
    passed: z.boolean(),
    outcome: z.enum(CHECK_OUTCOMES).optional(),
    /** Origin of a composed tree: the tree of its code, and the tree of its exam. */
    halves: z.object({ code: z.string(), exam: z.string() }).optional(),
    findings: z.array(Finding).optional(),
  }),
  z.object({
    type: z.literal("gate.evaluated"),
    ...step,
    gate: z.string(),
    rule: z.string(),
    passed: z.boolean(),
    actual: Json,
    need: Json,
    params: Json,
    tree: z.string().optional(),
    /**
     * Surrounding scopes of the gate: its phase ("" inside a step that repeats), then the branches and parts around it.
     */
    place: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal("approval.requested"),
    ...step,
    approval: z.string(),
    title: z.string(),
    show: Json,
    choices: z.array(z.string()),
    auto: z.string(),
    /** Choices that require a note. */
    words: z.array(z.string()).optional(),
    /** Choice that sends the work back with a note. */
    revises: z.string().optional(),
    /** Effect of each choice, if the question describes it. */
    leads: z.record(z.string(), z.string()).optional(),
    /** Summary of `show` for people. */
    brief: Brief.optional(),
    /** Files that the question is about. */
    paths: z.array(z.string()).optional(),
    /** Tree that the question is about, if it names one. `paths` are files of this tree. */
    tree: z.string().optional(),
    hash: z.string(),
    pause: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("approval.decided"),
    ...step,
    approval: z.string(),
    choice: z.string(),
    note: z.string().optional(),
    by: z.string(),
    ...known,
    hash: z.string(),
  }),
  z.object({ type: z.literal("phase.skipped"), ...step, ...place, title: z.string(), reason: z.string() }),
  z.object({
    type: z.literal("run.suspended"),
    status: SuspendedStatus,
    exit: z.number().int(),
    reason: z.string(),
    waiting: z.array(z.string()).optional(),
    ...known,
    /** Error code, if the pipeline broke a rule of replay or the machine lacks a prerequisite. Nothing is lost. */
    code: z.string().optional(),
  }),
  z.object({
    type: z.literal("run.finished"),
    status: FinishedStatus,
    exit: z.number().int(),
    confidence: z.enum(["low", "medium", "high"]).optional(),
    commit: z.string().optional(),
    reason: z.string().optional(),
    /** Person who canceled the run. */
    by: z.string().optional(),
    ...known,
    /** Undecided evidence that was accepted for the commit, and who accepted it. */
    caveats: z.array(z.string()).optional(),
    /** Required configuration, one entry per line, if the run could not start. */
    next: z.array(z.string()).optional(),
    report: Json.optional(),
  }),
] as const;

/** Record as the engine passes it to a host. Its rows are written to the ledger in the same transaction. */
export const RecordBody = z.discriminatedUnion("type", RECORDS).and(z.object({ rows: z.array(LedgerRow).optional() }));
export type RecordBody = z.infer<typeof RecordBody>;
export type RecordType = RecordBody["type"];
export type RecordBodyOf<T extends RecordType> = Extract<RecordBody, { type: T }>;

/** Position of a record in the journal. `chain` is a hash of the record and everything before it. */
export type Stamp = {
  readonly v: 1;
  readonly seq: number;
  readonly ts: number;
  readonly run: string;
  readonly chain: string;
};
export type JournalRecord<T extends RecordType = RecordType> = RecordBodyOf<T> & Stamp;
