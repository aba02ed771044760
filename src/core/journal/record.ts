import { z } from "zod";
import { Brief } from "../authoring/brief.ts";
import { FinishedStatus, SuspendedStatus } from "../authoring/end.ts";
import { Finding } from "../authoring/finding.ts";
import { Limits } from "../budget/budget.ts";
import { CHECK_OUTCOMES } from "../checks/outcome/outcome.ts";
import { TestResults } from "../checks/outcome/tests-seen.ts";
import { Failure } from "../failure/failure.ts";
import { Json } from "../text/json.ts";
import { Identity } from "./identity.ts";
import { LedgerRow } from "./ledger.ts";
import { RunConfig } from "./run-config.ts";

/**
 * The journal: the ordered record of a run and the only truth. The same records are the public
 * events; hosts, surfaces, reports and tests all read this one stream.
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

/** As whom the team's database knows whoever said it. */
const known = { role: z.string().optional() };

/** One run of a configured command on a tree. */
export const RecordedRun = z.object({
  check: z.string(),
  tree: z.string(),
  command: z.string(),
  /** The folder of the tree, where it is not the top. */
  cwd: z.string().optional(),
  exitCode: z.number().nullable(),
  ms: z.number(),
  digest: z.string(),
  snippet: z.string(),
  /** Of one that is not green: what tells of the failure. */
  excerpt: z.string().optional(),
  /** Where all that it printed lies, below the spool of the run. */
  output: z.string().optional(),
  /** 2 where a regression was not believed at once. */
  turn: z.number().int(),
  /** Why it is neither green nor red. */
  notRun: z.string().optional(),
  /** Asked for a report it left none, so it is not asked on other trees either. */
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
    /** The declared headings: what is not started yet can be shown without the pipeline's code. */
    phases: z.array(z.string()),
    approvals: z.enum(["interactive", "autonomous"]),
    base: z.object({ commit: z.string(), tree: z.string() }),
    /** In a team: the commit that holds the checkout that the run started with. */
    checkout: z.string().optional(),
    commands: z.array(z.object({ name: z.string(), run: z.string() })),
    setup: z.object({ run: z.string(), lockFile: z.string().optional() }).optional(),
    protectedPaths: z.array(z.string()).optional(),
    /** Where documents of the process go; absent: into the commit of the work. */
    documents: z.string().optional(),
    /** Globs that a person has said belong to the tests, or to the code. */
    exam: z.object({ tests: z.array(z.string()), code: z.array(z.string()) }).optional(),
    policy: Json.optional(),
    /** The engine looks before the pipeline begins and before a commit is made; runs of before that do not. */
    preflight: z.literal(true).optional(),
    /** A person's word, with its reason, that no command of the project is needed. */
    exempt: z.string().optional(),
    /** Where that was said: a file, a variable or a flag. */
    exemptFrom: z.string().optional(),
    /** In whose name it commits; without it in the engine's own. */
    identity: Identity.optional(),
    limits: Limits,
    minConfidence: z.enum(["low", "medium", "high"]),
    /** Whose records it begins with, as far as that phase; `seq` is the last of them here. */
    from: z
      .object({
        run: z.string(),
        phase: z.string(),
        seq: z.number().int(),
        /** How many records that run had then; it may have gone on since. */
        upTo: z.number().int().optional(),
        /** What that run was refused for from there on. */
        refused: z.array(Finding).readonly().optional(),
        /** Runs of commands that were red on a tree there, turn by turn: a pass on that tree does not stand alone. */
        seen: z.array(RecordedRun).readonly().optional(),
      })
      .optional(),
  }),
  /** A process took the run over. Says nothing about the pipeline, so normal form leaves it out. */
  z.object({
    type: z.literal("engine.started"),
    owner: z.string(),
    fence: z.number().int(),
    hash: z.string(),
    /** What held agents and checks while this engine was in charge. */
    sandbox: z.string().optional(),
  }),
  /** A person let it go on; new limits and a new configuration replace the old ones from here. */
  z.object({
    type: z.literal("run.resumed"),
    by: z.string(),
    ...known,
    note: z.string().optional(),
    limits: Limits.optional(),
    config: RunConfig.optional(),
  }),
  /** A letter that counts for nothing: it could not be read, or whoever posted it may not say that. */
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
    /** Hash of the verb's kind and input: a replay that asks something else is refused. */
    print: z.string(),
  }),
  z.object({
    type: z.literal("step.finished"),
    ...step,
    value: Json.optional(),
    failure: Failure.optional(),
    /** Where a dispatch failed more than once: all of its failures, `failure` last. */
    failures: z.array(Failure).optional(),
  }),
  z.object({
    type: z.literal("agent.started"),
    ...dispatch,
    effect: z.string(),
    nonce: z.string(),
    /** The how manieth of those who are named to play instead; without it the first choice. */
    instead: z.number().int().optional(),
    /** The conversation of the attempt before, which was cut off; this one goes on with it. */
    continues: z.string().optional(),
  }),
  z.object({
    type: z.literal("agent.finished"),
    ...dispatch,
    outcome: z.enum(["done", "failed", "interrupted"]),
    failure: Failure.optional(),
    ms: z.number().optional(),
    /** Who played it: the driver, and the model where one was chosen. */
    by: z.string().optional(),
    usage: z
      .object({ inputTokens: z.number().optional(), outputTokens: z.number().optional(), usd: z.number().optional() })
      .optional(),
    after: z.string().optional(),
    changed: z.array(z.string()).optional(),
    outside: z.array(z.string()).optional(),
    /** Of a failed attempt whose answer alone could not be used: its work, which the next one begins with. */
    kept: z.string().optional(),
    /** Times the agent was asked to say its answer again, in the same conversation. */
    repairs: z.number().int().optional(),
    adopted: z.literal(true).optional(),
    /** Who could play it instead: said where a usage window is used up. */
    instead: z.string().optional(),
    /** Where it was cut off: the conversation that the next attempt goes on with. */
    session: z.string().optional(),
    /** A person or a limit stopped the engine or the worker: not counted as an interruption. */
    orderly: z.literal(true).optional(),
    /** Of a team: who was told to stop while it worked there, or died with it. */
    worker: z.string().optional(),
    /** The limit that did, or whose word it was. */
    limit: z.string().optional(),
  }),
  z.object({
    type: z.literal("agent.retried"),
    ...dispatch,
    because: Failure,
    waitMs: z.number(),
    /** As in the start of that attempt. */
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
    /** A tree composed of two: whose code, whose exam. */
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
    /** What it stands in: its phase ("" where it is asked again and again), then the branches and parts around it. */
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
    /** Choices that are nothing without a note. */
    words: z.array(z.string()).optional(),
    /** The choice that sends the work back with a note. */
    revises: z.string().optional(),
    /** What a choice leads to, where the question says so. */
    leads: z.record(z.string(), z.string()).optional(),
    /** What a person reads of what it shows. */
    brief: Brief.optional(),
    /** Files that it is about. */
    paths: z.array(z.string()).optional(),
    /** The work that it is about, where the question names one; its files are those in it. */
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
    /** Where the pipeline broke a rule of replay, or the machine lacked something: which. Nothing is lost. */
    code: z.string().optional(),
  }),
  z.object({
    type: z.literal("run.finished"),
    status: FinishedStatus,
    exit: z.number().int(),
    confidence: z.enum(["low", "medium", "high"]).optional(),
    commit: z.string().optional(),
    reason: z.string().optional(),
    /** Who canceled it. */
    by: z.string().optional(),
    ...known,
    /** What was committed although evidence could not decide it, and who said so. */
    caveats: z.array(z.string()).optional(),
    /** Where it could not even begin: what to configure, line by line. */
    next: z.array(z.string()).optional(),
    report: Json.optional(),
  }),
] as const;

/** What the engine hands to a host. Rows go into the ledger in the same transaction. */
export const RecordBody = z.discriminatedUnion("type", RECORDS).and(z.object({ rows: z.array(LedgerRow).optional() }));
export type RecordBody = z.infer<typeof RecordBody>;
export type RecordType = RecordBody["type"];
export type RecordBodyOf<T extends RecordType> = Extract<RecordBody, { type: T }>;

/** A fact in its place. `chain` is a hash of it and of everything before it. */
export type Stamp = {
  readonly v: 1;
  readonly seq: number;
  readonly ts: number;
  readonly run: string;
  readonly chain: string;
};
export type JournalRecord<T extends RecordType = RecordType> = RecordBodyOf<T> & Stamp;
