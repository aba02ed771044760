import type { Json } from "../../src/core/text/json.ts";
import type { CheckRow, Choice, Money, PageChange, PageHead } from "../../src/views/page/page.ts";

export type { Json };

export type RunLine = Pick<
  PageHead,
  "run" | "repository" | "pipeline" | "request" | "state" | "status" | "waitsFor" | "because" | "startedAt" | "lastAt"
> & { readonly repositoryId: string; readonly cost: Money; readonly commit: string | null };

export type QuestionLine = {
  readonly id: string;
  readonly run: string;
  readonly repository: string;
  readonly title: string;
  readonly askedAt: number;
  readonly pipeline: string;
  readonly request: string;
};

export type Home = {
  readonly now: number;
  readonly version: string;
  readonly needs: readonly QuestionLine[];
  readonly running: readonly RunLine[];
  readonly recent: readonly RunLine[];
  readonly repositories: readonly { readonly id: string; readonly name: string }[];
};

export type Answered = { readonly choice: string; readonly by: string; readonly at: number; readonly note?: string };

export type Question = {
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

export type DiffLine = string;
export type Hunk = {
  readonly header: string;
  readonly lines: readonly DiffLine[];
  readonly oldStart: number;
  readonly newStart: number;
};
export type FileDiff = {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: "A" | "M" | "D" | "R";
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
  readonly hunks?: readonly Hunk[];
  readonly tooLarge?: boolean;
};
export type TreeDiff = { readonly from: string; readonly to: string; readonly files: readonly FileDiff[] };

export type TranscriptEntry = {
  readonly at?: number;
  readonly kind: "message" | "tool" | "raw";
  readonly text: string;
};
export type Transcript = {
  readonly entries: readonly TranscriptEntry[];
  readonly next: number;
  readonly complete: boolean;
};

export type RuleDetail = {
  readonly rule: string;
  readonly says: string;
  readonly sql: string | null;
  readonly params: Json;
  readonly actual: Json;
  readonly need: Json;
  readonly passed: boolean;
  readonly rows: Rows | null;
};
export type Rows = { readonly columns: readonly string[]; readonly rows: readonly (readonly Json[])[] };
export type GateDetail = { readonly gate: string; readonly rules: readonly RuleDetail[] };

export type CostLine = {
  readonly name: string;
  readonly dispatches: number;
  readonly money: Money;
  readonly input: number;
  readonly output: number;
};
export type CostReport = {
  readonly byRole: readonly CostLine[];
  readonly byPhase: readonly CostLine[];
  readonly byAgent: readonly CostLine[];
  readonly byModel: readonly CostLine[];
  readonly silent: readonly {
    readonly who: string;
    readonly phase: string;
    readonly assumedUsd: number;
    readonly why: string;
  }[];
  readonly total: Money;
};

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
export type Pipeline = { readonly name: string; readonly says?: string; readonly inputs?: readonly PipelineInput[] };

export type StreamMessage =
  | { readonly type: "page"; readonly change: PageChange }
  | { readonly type: "home"; readonly home: Home }
  | { readonly type: "beat"; readonly now: number };
