import type { Brief } from "../../../core/authoring/brief.ts";
import type { Json } from "../../../core/text/json.ts";
import type { CheckRow, Choice, Money, PageChange, PageHead } from "../../../views/page/page.ts";

/** Types of the documents that the server sends to the dashboard. */

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

/** A repository whose runs cannot be read, and the reason with a fix. */
export type UnreadableRepository = { readonly repository: string; readonly because: string };

/** Runs and questions of all repositories of this user. */
export type Home = {
  readonly v: 1;
  readonly now: number;
  readonly version: string;
  readonly needs: readonly QuestionLine[];
  readonly running: readonly RunLine[];
  readonly recent: readonly RunLine[];
  readonly repositories: readonly { readonly id: string; readonly name: string }[];
  readonly unreadable: readonly UnreadableRepository[];
};

export type RecordedAnswer = {
  readonly choice: string;
  readonly by: string;
  readonly at: number;
  readonly note?: string;
};

export type QuestionDetails = {
  readonly id: string;
  readonly run: string;
  readonly title: string;
  readonly show: Json;
  readonly brief: Brief | null;
  readonly choices: readonly Choice[];
  readonly hash: string;
  readonly askedAt: number;
  readonly files: readonly { readonly path: string; readonly text: string | null }[];
  readonly evidence: readonly CheckRow[];
  readonly cost: Money;
  readonly answered: RecordedAnswer | null;
};

/** The answer that counts, and whether it is the one just sent. */
export type AnswerResult = { readonly answered: RecordedAnswer; readonly mine: boolean };

export type TranscriptEntry = { readonly kind: "message" | "tool" | "raw"; readonly text: string };
export type Transcript = {
  readonly entries: readonly TranscriptEntry[];
  /** Offset for the next read. */
  readonly next: number;
  /** The attempt has ended and its output was read completely. */
  readonly complete: boolean;
};

export type SqlTable = { readonly columns: readonly string[]; readonly rows: readonly (readonly Json[])[] };

export type RuleDetails = {
  readonly rule: string;
  readonly says: string;
  readonly sql: string | null;
  readonly params: Json;
  readonly actual: Json;
  readonly need: Json;
  readonly passed: boolean;
  readonly rows: SqlTable | null;
};

export type GateDetails = { readonly gate: string; readonly rules: readonly RuleDetails[] };

/** A journal record in its public form. */
export type PublicEvent = { readonly seq: number; readonly ts: number; readonly type: string } & {
  readonly [field: string]: Json | undefined;
};
export type EventList = { readonly records: readonly PublicEvent[]; readonly last: number };

export type PipelineInput = {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
  readonly otherwise?: Json;
};
export type PipelineLine = { readonly name: string; readonly says: string; readonly inputs: readonly PipelineInput[] };
export type PipelineList = {
  readonly pipelines: readonly PipelineLine[];
  /** Agents that can be assigned to a role. */
  readonly drivers: readonly string[];
};

/** One line of the stream. */
export type StreamMessage =
  | { readonly type: "page"; readonly change: PageChange }
  | { readonly type: "home"; readonly home: Home }
  | { readonly type: "beat"; readonly now: number };
