import type { Brief } from "../../core/authoring/brief.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Money } from "../../core/budget/money.ts";
import type { Json } from "../../core/text/json.ts";
import type { EvidenceReport } from "../evidence.ts";
import type { RuleReport } from "../gates.ts";
import type { StateName } from "../states.ts";

export type { Money };

/**
 * A run as a page shows it, and the terminal, `--json` and the report with it: a head that is sent whole, and rows that
 * are sent when they change. Every number stands here once; who renders it computes nothing.
 */
export type RunPage = {
  readonly v: 1;
  readonly seq: number;
  readonly head: PageHead;
  readonly rows: readonly PageRow[];
};

/** What has changed after record `after`: the head, and the rows that are new or not as they were. */
export type PageChange = { readonly run: string; readonly after: number; readonly page: RunPage };

export type PageHead = {
  readonly run: string;
  readonly pipeline: string;
  readonly version: number;
  /** The name of the repository's folder; its whole path is nobody's business. */
  readonly repository: string;
  readonly request: string;
  readonly approvals: string;
  readonly state: StateName;
  /** The recorded status: done, error, waiting, budget … */
  readonly status: string;
  readonly exit: number | null;
  /** First line: what it waits for, since when, whom it needs; nobody, where nobody is needed. */
  readonly waitsFor: { readonly text: string; readonly since: number; readonly needs: string };
  readonly because: string;
  readonly next: readonly string[];
  readonly confidence: string | null;
  readonly caveats: readonly string[];
  readonly startedAt: number;
  readonly lastAt: number;
  readonly workedMs: number;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly commits: readonly { readonly commit: string; readonly branch: string }[];
  readonly counts: {
    readonly dispatches: number;
    readonly retried: number;
    /** Attempts whose engine died meanwhile; not those that a pause or a stop put down. */
    readonly interrupted: number;
    readonly atWork: number;
    readonly gatesPassed: number;
    readonly gatesMissed: number;
    readonly questionsOpen: number;
    /** Answered by a rule of the pipeline, without a person. */
    readonly answeredByRule: number;
    readonly checksNotRun: number;
  };
  readonly cost: Money & { readonly limitUsd: number | null };
  readonly tokens: { readonly input: number; readonly output: number; readonly unknown: number };
  /** From finished runs of the same pipeline; null where there are none. */
  readonly forecast: Forecast | null;
  readonly agents: readonly AgentAtWork[];
  readonly checks: readonly CheckAtWork[];
  readonly resting: readonly { readonly who: string; readonly because: string; readonly untilMs: number | null }[];
  readonly actions: readonly PageAction[];
  /** Where each round that goes back began, and which numbers sent it. */
  readonly backEdges: readonly BackEdge[];
};

export type Forecast = {
  readonly runs: number;
  readonly dispatches: readonly [number, number];
  readonly ms: readonly [number, number];
};

export type AgentAtWork = {
  /** Of its dispatch's row. */
  readonly id: string;
  readonly key: string;
  readonly effect: string;
  readonly who: string;
  readonly role: string;
  readonly phase: string;
  readonly round: number;
  readonly attempt: number;
  /** The driver, and the model where one was chosen; null where nobody has said yet. */
  readonly by: string | null;
  readonly since: number;
  /** The last thing that it was seen to do. */
  readonly lastAction: { readonly text: string; readonly at: number } | null;
  readonly silence: { readonly forMs: number; readonly leftMs: number } | null;
  readonly reservedUsd: number;
  /** What earlier attempts at the same dispatch have said; an attempt says it at its end. */
  readonly said: { readonly tokens: number; readonly usd: number } | null;
  /** True where its engine is gone: what becomes of it is said in `fate`. */
  readonly stale: boolean;
  readonly fate: string | null;
};

export type CheckAtWork = {
  readonly name: string;
  readonly line: string;
  readonly since: number;
  readonly phase: string;
};

/** A button; one that is off says why in itself. */
export type PageAction = {
  readonly id: "resume" | "cancel" | "land" | "stop" | "fork" | "pause" | "revert";
  readonly label: string;
  /** Null where it can be done. */
  readonly off: string | null;
};

export type BackEdge = {
  readonly from: string;
  readonly to: string;
  readonly round: number;
  readonly label: string;
};

type Row<Kind extends string> = {
  readonly kind: Kind;
  /** Unique in the run, the same on every reading. */
  readonly id: string;
  /** The record after which it last changed. */
  readonly seq: number;
  readonly phase: string;
  readonly state: StateName;
};

export type PhaseRow = Row<"phase"> & {
  readonly title: string;
  readonly position: number;
  readonly because: string;
  readonly startedAt: number | null;
  readonly ms: number;
  readonly dispatches: number;
  readonly retries: number;
};

export type DispatchRow = Row<"dispatch"> & {
  readonly key: string;
  readonly who: string;
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly round: number;
  readonly startedAt: number;
  readonly ms: number;
  readonly attempts: readonly AttemptLine[];
  readonly cost: Money;
  readonly changed: readonly string[];
  readonly outside: readonly string[];
  /** In a few words, and the record that holds all of it. */
  readonly claim: { readonly seq: number; readonly text: string; readonly whole: Json } | null;
  /** Evidence of the same tree that says otherwise than the claim. */
  readonly contradictedBy: readonly number[];
};

export type AttemptLine = {
  readonly attempt: number;
  readonly effect: string;
  readonly state: StateName;
  readonly because: string;
  readonly by: string | null;
  readonly startedAt: number;
  readonly ms: number | null;
  readonly usd: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly tree: string | null;
};

export type CheckRow = Row<"check"> &
  Pick<EvidenceReport, "key" | "task" | "check" | "round" | "tree" | "exitCode"> & {
    readonly at: number;
    readonly ms: number;
    readonly when: "baseline" | "after";
    readonly turn: number;
    readonly command: string;
    readonly because: string;
    readonly tests: { readonly passed: number; readonly failed: number; readonly skipped: number } | null;
    readonly failing: readonly string[];
    readonly excerpt: string;
  };

export type GateRow = Row<"gate"> & {
  readonly key: string;
  readonly gate: string;
  readonly round: number;
  /** A later judgement with the same one replaces this. */
  readonly place: string;
  readonly at: number;
  readonly tree: string | null;
  readonly rules: readonly RuleReport[];
  readonly findings: readonly Finding[];
  /** What the run did next, in words. */
  readonly then: string;
};

export type QuestionRow = Row<"question"> & {
  readonly key: string;
  readonly approval: string;
  readonly title: string;
  readonly show: Json;
  /** What a person reads of it; null where that is all that it shows. */
  readonly brief: Brief | null;
  readonly paths: readonly string[];
  readonly choices: readonly Choice[];
  readonly hash: string;
  readonly askedAt: number;
  readonly answer: { readonly choice: string; readonly by: string; readonly note: string; readonly at: number } | null;
  readonly pause: boolean;
};

/** What each choice leads to. */
export type Choice = { readonly name: string; readonly leadsTo: string; readonly needsWords: boolean };

/** A commit, a merge, or what the pipeline did itself. */
export type StepRow = Row<"step"> & {
  readonly key: string;
  readonly verb: string;
  readonly name: string;
  readonly startedAt: number;
  readonly ms: number | null;
  readonly text: string;
};

export type PageRow = PhaseRow | DispatchRow | CheckRow | GateRow | QuestionRow | StepRow;
