import type { Brief } from "../../core/authoring/brief.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Money } from "../../core/budget/money.ts";
import type { Json } from "../../core/text/json.ts";
import type { EvidenceReport } from "../evidence.ts";
import type { RuleReport } from "../gates.ts";
import type { StateName } from "../states.ts";

export type { Money };

/**
 * The page of a run, which the dashboard, the terminal, `--json` and the report render: a head that is sent whole, and
 * rows that are sent when they change. Every number is computed here, so that renderers compute nothing.
 */
export type RunPage = {
  readonly v: 1;
  readonly seq: number;
  readonly head: PageHead;
  readonly rows: readonly PageRow[];
};

/** The head, and the rows that are new or changed after record `after`. */
export type PageChange = { readonly run: string; readonly after: number; readonly page: RunPage };

export type PageHead = {
  readonly run: string;
  readonly pipeline: string;
  readonly version: number;
  /** The name of the repository's folder. Its full path is not disclosed. */
  readonly repository: string;
  readonly request: string;
  readonly approvals: string;
  readonly state: StateName;
  /** The recorded status: done, error, waiting, budget … */
  readonly status: string;
  readonly exit: number | null;
  /** First line: what the run waits for, since when, and whose action it needs ("nobody" if none). */
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
    /** Attempts whose engine died while they ran. Attempts stopped by a pause or a stop do not count. */
    readonly interrupted: number;
    readonly atWork: number;
    readonly gatesPassed: number;
    readonly gatesMissed: number;
    readonly questionsOpen: number;
    /** Questions answered by a rule of the pipeline, without a person. */
    readonly answeredByRule: number;
    readonly checksNotRun: number;
  };
  readonly cost: Money & { readonly limitUsd: number | null };
  readonly tokens: { readonly input: number; readonly output: number; readonly unknown: number };
  /** Estimated from finished runs of the same pipeline; null if there are none. */
  readonly forecast: Forecast | null;
  readonly agents: readonly RunningAgent[];
  readonly checks: readonly RunningCheck[];
  readonly resting: readonly { readonly who: string; readonly because: string; readonly untilMs: number | null }[];
  readonly actions: readonly PageAction[];
  /** The start of each repeated round, and the missed rules or the choice that caused it. */
  readonly backEdges: readonly BackEdge[];
};

export type Forecast = {
  readonly runs: number;
  readonly dispatches: readonly [number, number];
  readonly ms: readonly [number, number];
};

export type RunningAgent = {
  /** The id of its dispatch's row. */
  readonly id: string;
  readonly key: string;
  readonly effect: string;
  readonly who: string;
  readonly role: string;
  readonly phase: string;
  readonly round: number;
  readonly attempt: number;
  /** The driver and, if selected, the model; null until an attempt reports them. */
  readonly by: string | null;
  readonly since: number;
  /** The last observed action. */
  readonly lastAction: { readonly text: string; readonly at: number } | null;
  readonly silence: { readonly forMs: number; readonly leftMs: number } | null;
  readonly reservedUsd: number;
  /** Usage reported by earlier attempts of the dispatch. An attempt reports its own at its end. */
  readonly said: { readonly tokens: number; readonly usd: number } | null;
  /** True if its engine is gone; `fate` says what happens to it next. */
  readonly stale: boolean;
  readonly fate: string | null;
};

export type RunningCheck = {
  readonly name: string;
  readonly line: string;
  readonly since: number;
  readonly phase: string;
};

/** A button. A disabled one carries the reason. */
export type PageAction = {
  readonly id: "resume" | "cancel" | "land" | "stop" | "fork" | "pause" | "revert";
  readonly label: string;
  /** Null if the action is possible. */
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
  /** Unique in the run and stable across reads. */
  readonly id: string;
  /** The record that last changed the row. */
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
  /** A one-line text of the claim, and the number of the record that holds it in full. */
  readonly claim: { readonly seq: number; readonly text: string; readonly whole: Json } | null;
  /** Evidence of the same tree that contradicts the claim. */
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
  /** A later evaluation with the same place replaces this one. */
  readonly place: string;
  readonly at: number;
  readonly tree: string | null;
  readonly rules: readonly RuleReport[];
  readonly findings: readonly Finding[];
  /** Text of what the run did next. */
  readonly then: string;
};

export type QuestionRow = Row<"question"> & {
  readonly key: string;
  readonly approval: string;
  readonly title: string;
  readonly show: Json;
  /** A short version for people; null if `show` is all there is. */
  readonly brief: Brief | null;
  readonly paths: readonly string[];
  readonly choices: readonly Choice[];
  readonly hash: string;
  readonly askedAt: number;
  readonly answer: { readonly choice: string; readonly by: string; readonly note: string; readonly at: number } | null;
  readonly pause: boolean;
};

/** One choice and what it leads to. */
export type Choice = {
  readonly name: string;
  readonly leadsTo: string;
  readonly needsWords: boolean;
  /** The choice returns the work with the person's note. */
  readonly revises: boolean;
};

/** A commit, a merge, or a step that the pipeline performed itself. */
export type StepRow = Row<"step"> & {
  readonly key: string;
  readonly verb: string;
  readonly name: string;
  readonly startedAt: number;
  readonly ms: number | null;
  readonly text: string;
};

export type PageRow = PhaseRow | DispatchRow | CheckRow | GateRow | QuestionRow | StepRow;
