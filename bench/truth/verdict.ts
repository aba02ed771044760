import type { TestNames } from "../../src/core/checks/reports/test-report.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { DriveResult, Host } from "../../src/core/ports/host.ts";

export const OUTCOMES = ["committed", "asked", "refused", "not runnable"] as const;

export type Verdict = {
  readonly outcome: (typeof OUTCOMES)[number];
  /** Short labels of the questions or of the reasons for a refusal. */
  readonly kinds: readonly string[];
  /** Messages of the engine. */
  readonly told: readonly string[];
  /** Tests that passed on the old tree and fail on the new one. */
  readonly broken: readonly string[];
};

/** Reads the outcome of a run from its journal. */
export async function readVerdict(host: Host, run: string, end: DriveResult): Promise<Verdict> {
  const records = await host.journal.load(run);
  const seen = findInterlockValue(records);
  const bare = { kinds: [], told: [], broken: [] };
  if (end.status === "done") return { ...bare, outcome: "committed" };
  if (end.status === "waiting" && seen) {
    return { ...bare, outcome: "asked", kinds: [...new Set(seen.doubts.map(classifyDoubt))].sort(), told: seen.doubts };
  }
  if (seen?.refusal !== undefined) {
    const kinds = [...new Set(records.flatMap(listRefusals))].sort();
    const broken = await findBrokenTests(host, records);
    return { outcome: "refused", kinds, told: [seen.refusal], broken };
  }
  const last = records.findLast(({ type }) => type === "run.finished" || type === "run.suspended");
  const why = end.status === "interrupted" ? "it took too long" : readReason(last);
  return { ...bare, outcome: "not runnable", kinds: [end.exit === 4 ? "preflight" : end.status], told: [why] };
}

type Seen = { readonly refusal?: string; readonly doubts: readonly string[] };

function findInterlockValue(records: readonly JournalRecord[]): Seen | undefined {
  const values = records.flatMap((each) => (each.type === "step.finished" ? [each.value] : []));
  // Only the interlock's value has such a field.
  return values.find((value) => isObject(value) && Array.isArray(value["doubts"])) as Seen | undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/in its old form, and was not announced/, "old tests named"],
  [/stopped failing only because it was changed/, "edited test"],
  [/failed on the new code until it was changed/, "loosened"],
  [/assertions are gone or looser|no longer run|though passing on the new code/, "lost tests"],
  [/no test is red without it/, "no red test"],
  [/^No verdict of the old tests/, "no verdict"],
  [/cannot be told from the code/, "inseparable"],
  [/fail on the new code (?:beside|without|with) /, "what lies around"],
  [/counts as tests or as code|as it is now and|may belong to the tests or to the code/, "either half"],
  [/was red|red on the baseline|red before/, "red before"],
  [/it controls checks elsewhere/, "workflow changed"],
  [/agents read instructions from it/, "agent instructions changed"],
  [/different results|now and then|flaky/, "flaky"],
];

function classifyDoubt(doubt: string): string {
  return KINDS.find(([words]) => words.test(doubt))?.[1] ?? "other";
}

function listRefusals(record: JournalRecord): readonly string[] {
  if (record.type !== "evidence.recorded" || record.phase !== "after") return [];
  const { outcome } = record;
  return outcome === "regression" || outcome === "not-run" || outcome === "failed" ? [outcome] : [];
}

function readReason(record: JournalRecord | undefined): string {
  return record && "reason" in record && typeof record.reason === "string" ? record.reason : "no reason was recorded";
}

async function findBrokenTests(host: Host, records: readonly JournalRecord[]): Promise<readonly string[]> {
  const runs = records.flatMap((each) => (each.type === "evidence.recorded" ? [each] : []));
  const before = runs.find(({ phase, tests }) => phase === "baseline" && tests?.names !== undefined);
  const text = before?.tests?.names === undefined ? undefined : await host.blobs.get(before.tests.names);
  // Written by the engine, which writes nothing else under such a digest.
  const names = JSON.parse(text ?? "{}") as TestNames;
  const failing = runs.flatMap(({ phase, tests }) => (phase === "after" ? (tests?.failing ?? []) : []));
  return [...new Set(failing)].filter((name) => names[name] === "passed");
}
