import type { Json } from "../../../core/text/json.ts";
import type { CostReport } from "../../../views/page/cost.ts";
import type { PageChange, RunPage } from "../../../views/page/page.ts";
import type { Diff } from "./diff.ts";
import type {
  AnswerResult,
  EventList,
  GateDetails,
  Home,
  PipelineList,
  QuestionDetails,
  QuestionLine,
  SqlTable,
  Transcript,
} from "./documents.ts";

export type StartOrder = {
  readonly repository: string;
  readonly pipeline: string;
  readonly request?: string | undefined;
  readonly input?: Readonly<Record<string, Json>> | undefined;
  readonly approvals?: "interactive" | "autonomous" | undefined;
  readonly budget?: number | undefined;
  /** `role=driver[:model]`, like the flag. Roles that are not listed use the configured agents. */
  readonly agents?: readonly string[] | undefined;
};

/** Reads one run. */
export type RunReader = {
  page(run: string): Promise<RunPage>;
  changes(run: string, after: number): Promise<PageChange>;
  /** Calls back when the run may have changed, until the returned function is called. */
  watch(run: string, changed: () => void): () => void;
  events(run: string, from: { readonly after: number; readonly most: number }): Promise<EventList>;
  transcript(run: string, at: { readonly effect: string; readonly after: number }): Promise<Transcript>;
  prompt(run: string, effect: string): Promise<{ readonly text: string }>;
  contract(run: string, of: { readonly key: string; readonly attempt: number }): Promise<unknown>;
  output(run: string, seq: number): Promise<{ readonly text: string; readonly truncated: boolean }>;
  diff(run: string, asked: DiffRequest): Promise<Diff>;
  gate(run: string, key: string): Promise<GateDetails>;
  cost(run: string): Promise<CostReport>;
};

export type DiffRequest = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly path?: string | undefined;
};

/** Controls runs. Each method does what the command of the same name does. */
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
  /** `role=driver[:model]`, like the flag. */
  readonly agents?: readonly string[] | undefined;
};

/** The interface between the server and the program that hosts it. */
export type ServerPort = {
  readonly version: string;
  now(): number;
  redact(text: string): string;
  home(): Promise<Home>;
  watchHome(changed: () => void): () => void;
  readonly runs: RunReader;
  readonly control: RunControl;
  questions(): Promise<readonly QuestionLine[]>;
  question(id: string): Promise<QuestionDetails>;
  answer(
    id: string,
    answer: { readonly choice: string; readonly hash: string; readonly note?: string },
  ): Promise<AnswerResult>;
  pipelines(repository: string): Promise<PipelineList>;
  sql(repository: string, query: string): Promise<SqlTable & { readonly truncated: boolean }>;
  /** Reports an unexpected error in the terminal of the server. */
  failed(error: unknown): void;
};
