import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { Rule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { toStored } from "../../core/text/json.ts";
import { replayJournal } from "../../engine/replay/replay.ts";
import type { Call } from "../call.ts";
import { inspectProject } from "../project/project.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { RecordedRun } from "../runs/with-run.ts";
import { mayRun } from "../trust/trust.ts";

/** Input of a gate: its rules from the code, and the values they evaluate. */
export type GateInput = { readonly rules: readonly Rule[]; readonly about: unknown };

export type KnownRules = {
  /** Gates by the key of their step. */
  readonly given: ReadonlyMap<string, GateInput>;
  /** All known rules of the pipeline by id. */
  readonly byId: ReadonlyMap<string, Rule>;
  /** Reason why rules may be missing. */
  readonly unread?: string;
};

/** Loads the rules of a run's pipeline. The repository's own code is loaded only if it is trusted. */
export async function loadKnownRules(
  call: Call,
  { store, row, records }: RecordedRun,
  trust: TrustFlag,
): Promise<KnownRules> {
  const pipeline = await findRunPipeline(call, row, trust);
  if (typeof pipeline === "string") return { given: new Map(), byId: new Map(), unread: pipeline };
  const given = await collectGateInputs({ records, pipeline, world: store.world });
  const { RULE_BOOK } = await import("../../pipelines/rule-book.ts");
  const rules = [...(RULE_BOOK[row.pipeline] ?? []), ...[...given.values()].flatMap((each) => each.rules)];
  return { given, byId: new Map(rules.map((rule) => [rule.id, rule])) };
}

/**
 * Loads the rules with these ids, if known. An id means the same rule throughout a run, so the code is replayed only up
 * to the point where each id was first evaluated.
 */
export async function loadNamedRules(call: Call, { store, row }: Omit<RecordedRun, "records">, ids: readonly string[]) {
  const { RULE_BOOK } = await import("../../pipelines/rule-book.ts");
  const known = new Map((RULE_BOOK[row.pipeline] ?? []).map((rule) => [rule.id, rule]));
  if (ids.every((id) => known.has(id))) return known;
  const pipeline = await findRunPipeline(call, row, {});
  if (typeof pipeline === "string") return known;
  const records = await readUntilEvaluated(store, row.id, new Set(ids));
  const given = await collectGateInputs({ records, pipeline, world: store.world });
  for (const rule of [...given.values()].flatMap((each) => each.rules)) known.set(rule.id, rule);
  return known;
}

/** Reads the journal up to the end of the step in which the last of these rules was first evaluated. */
async function readUntilEvaluated(
  { host }: RunStore,
  run: string,
  missing: Set<string>,
): Promise<readonly JournalRecord[]> {
  const read: JournalRecord[] = [];
  let last = "";
  for await (const records of readJournalPages(host.journal, run)) {
    for (const record of records) {
      read.push(record);
      if (record.type === "gate.evaluated" && missing.delete(record.rule)) last = record.key;
      if (missing.size === 0 && record.type === "step.finished" && record.key === last) return read;
    }
  }
  return read;
}

export type TrustFlag = { readonly trust?: boolean };

/** Returns the pipeline, or the reason why it is not available. */
async function findRunPipeline(call: Call, row: RunRow, flags: TrustFlag): Promise<Pipeline | string> {
  const { pipelines, trust } = await inspectProject(call, { ...flags, pipeline: row.pipeline });
  const pipeline = pipelines.find(row.pipeline);
  if (pipeline) return pipeline;
  if (mayRun(trust)) return `pipeline "${row.pipeline}" no longer exists`;
  return `pipeline ${row.pipeline} is the repository's own code, which is loaded only with --trust`;
}

/** Matches a rule's id or a gate's name as typed. */
export function matchesGate(name: string, { gate, rule }: { readonly gate: string; readonly rule: string }): boolean {
  return matchesRule(name, rule) || gate.toLowerCase() === name.trim().toLowerCase();
}

/** Matches an id or its parts: `P-19` also names `P-19/scope`, because one promise may consist of several rules. */
export function matchesRule(name: string, id: string): boolean {
  const typedName = name.trim().toLowerCase();
  return id.toLowerCase() === typedName || id.toLowerCase().startsWith(`${typedName}/`);
}

type ReplayOrder = {
  readonly records: readonly JournalRecord[];
  readonly pipeline: Pipeline;
  readonly world: World;
};

/**
 * Replays the journal with today's code and records the input of every gate. If the code no longer fits the journal, or
 * the run is still active, gates up to that point are returned.
 */
export async function collectGateInputs({
  records,
  pipeline,
  world,
}: ReplayOrder): Promise<ReadonlyMap<string, GateInput>> {
  const given = new Map<string, GateInput>();
  const watched = { ...pipeline, body: (verbs: Verbs<unknown>) => pipeline.body(recordGateInputs(verbs, given)) };
  // Yields to the event loop instead of the microtask queue: the engine renews its lease forever and must notice that
  // an active run has nothing left to replay.
  const sleep = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await replayJournal({ records, pipeline: watched, world: { ...world, sleep } });
  return given;
}

function recordGateInputs(verbs: Verbs<unknown>, given: Map<string, GateInput>): Verbs<unknown> {
  return {
    ...verbs,
    async gate(name, rules, about) {
      const decision = await verbs.gate(name, rules, about);
      // The rules are only called again with this same `about`.
      given.set(decision.id, { rules: rules as readonly Rule[], about: toStored(about) });
      return decision;
    },
  };
}
