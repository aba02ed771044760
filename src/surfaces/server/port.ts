import type { Json } from "../../core/text/json.ts";
import type { CheckRow, Choice, Money, PageChange, PageHead, RunPage } from "../../views/page/page.ts";
import type { Diff } from "./diff.ts";

/** A run in a list. */
export type RunLine = Pick<
  PageHead,
  "run" | "repository" | "pipeline" | "request" | "state" | "status" | "waitsFor" | "because" | "startedAt" | "lastAt"
> & { readonly repositoryId: string; readonly cost: Money; readonly commit: string | null };

/** A question in a list. */
export type QuestionLine = {
  readonly id: string;
  readonly run: string;
  readonly repository: string;
  readonly title: string;
  readonly askedAt: number;
  readonly pipeline: string;
  readonly request: string;
};

/** All that this machine's user has, whichever the repository. */
export type Home = {
  readonly v: 1;
  readonly now: number;
  readonly version: string;
  readonly needs: readonly QuestionLine[];
  readonly running: readonly RunLine[];
  readonly recent: readonly RunLine[];
  readonly repositories: readonly { readonly id: string; readonly name: string }[];
};

export type Answered = { readonly choice: string; readonly by: string; readonly at: number };

export type WholeQuestion = {
  readonly id: string;
  readonly run: string;
  readonly title: string;
  readonly show: Json;
  readonly choices: readonly Choice[];
  readonly hash: string;
  readonly askedAt: number;
  readonly files: readonly { readonly path: string; readonly text: string | null }[];
  readonly evidence: readonly CheckRow[];
  readonly cost: Money;
  readonly answered: Answered | null;
};

/** What became of an answer: it counts, or another did. */
export type AnswerResult = { readonly answered: Answered; readonly mine: boolean };

export type TranscriptEntry = { readonly kind: "message" | "tool" | "raw"; readonly text: string };
export type Transcript = {
  readonly entries: readonly TranscriptEntry[];
  /** Where the next look begins. */
  readonly next: number;
  /** The attempt has ended and all of it was read. */
  readonly complete: boolean;
};

export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Json[])[] };

export type RuleAsked = {
  readonly rule: string;
  readonly says: string;
  readonly sql: string | null;
  readonly params: Json;
  readonly actual: Json;
  readonly need: Json;
  readonly passed: boolean;
  readonly rows: Table | null;
};

export type StartOrder = {
  readonly repository: string;
  readonly pipeline: string;
  readonly request?: string | undefined;
  readonly input?: Readonly<Record<string, Json>> | undefined;
  readonly approvals?: "interactive" | "autonomous" | undefined;
  readonly budget?: number | undefined;
  /** `role=driver[:model]`, as the flag takes it; whom nobody names plays as configured. */
  readonly agents?: readonly string[] | undefined;
};

/** What can be looked at in one run. */
export type RunReader = {
  page(run: string): Promise<RunPage>;
  changes(run: string, after: number): Promise<PageChange>;
  /** Calls back whenever there may be something new, until it is stopped. */
  watch(run: string, changed: () => void): () => void;
  events(run: string, from: { readonly after: number; readonly most: number }): Promise<unknown>;
  transcript(run: string, at: { readonly effect: string; readonly after: number }): Promise<Transcript>;
  prompt(run: string, effect: string): Promise<{ readonly text: string }>;
  contract(run: string, of: { readonly key: string; readonly attempt: number }): Promise<unknown>;
  output(run: string, seq: number): Promise<{ readonly text: string; readonly truncated: boolean }>;
  diff(run: string, asked: DiffAsked): Promise<Diff>;
  gate(run: string, key: string): Promise<{ readonly gate: string; readonly rules: readonly RuleAsked[] }>;
  cost(run: string): Promise<unknown>;
};

export type DiffAsked = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly path?: string | undefined;
};

/** What can be done to runs: each the way of the command of the same name. */
export type RunControl = {
  start(order: StartOrder): Promise<unknown>;
  resume(
    run: string,
    limits: { readonly budget?: number | undefined; readonly maxTime?: string | undefined },
  ): Promise<unknown>;
  cancel(run: string, note: string | undefined): Promise<unknown>;
  pause(run: string, note: string | undefined): Promise<unknown>;
  stop(run: string, asked: { readonly effect: string; readonly note?: string | undefined }): Promise<unknown>;
  land(run: string): Promise<unknown>;
  revert(run: string): Promise<unknown>;
  fork(run: string, asked: ForkOrder): Promise<unknown>;
};

export type ForkOrder = {
  readonly phase: string;
  readonly request?: string | undefined;
  /** `role=driver[:model]`, as the flag takes it. */
  readonly agents?: readonly string[] | undefined;
};

/** What the server needs of the program that it belongs to. */
export type ServerPort = {
  readonly version: string;
  now(): number;
  redact(text: string): string;
  home(): Promise<Home>;
  watchHome(changed: () => void): () => void;
  readonly runs: RunReader;
  readonly control: RunControl;
  questions(): Promise<readonly QuestionLine[]>;
  question(id: string): Promise<WholeQuestion>;
  answer(
    id: string,
    answer: { readonly choice: string; readonly hash: string; readonly note?: string },
  ): Promise<AnswerResult>;
  pipelines(repository: string): Promise<unknown>;
  sql(repository: string, query: string): Promise<Table & { readonly truncated: boolean }>;
  /** What nobody foresaw, told where the server runs. */
  failed(error: unknown): void;
};
