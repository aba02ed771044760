import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { Rule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { pagesOf } from "../../core/journal/journal-pages.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { asStored } from "../../core/text/json.ts";
import { replay } from "../../engine/replay/replay.ts";
import type { Call } from "../call.ts";
import { lookAtProject } from "../project/project.ts";
import type { RecordedRun } from "../runs/one-run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { mayRun } from "../trust/trust.ts";

/** What a gate was given: its rules as they are in code, and what they judged. */
export type GateGiven = { readonly rules: readonly Rule[]; readonly about: unknown };

export type RulesKnown = {
  /** By the key of the gate's step. */
  readonly given: ReadonlyMap<string, GateGiven>;
  /** All that the pipeline is known to have, by id. */
  readonly byId: ReadonlyMap<string, Rule>;
  /** Why there may be rules that are not known. */
  readonly unread?: string;
};

/** The rules of a run's pipeline. A repository's own code is read only when it is trusted. */
export async function rulesKnown(
  call: Call,
  { store, row, records }: RecordedRun,
  trust: Trusting,
): Promise<RulesKnown> {
  const pipeline = await pipelineOf(call, row, trust);
  if (typeof pipeline === "string") return { given: new Map(), byId: new Map(), unread: pipeline };
  const given = await gatesGiven({ records, pipeline, world: store.world });
  const { RULE_BOOK } = await import("../../pipelines/rule-book.ts");
  const rules = [...(RULE_BOOK[row.pipeline] ?? []), ...[...given.values()].flatMap((each) => each.rules)];
  return { given, byId: new Map(rules.map((rule) => [rule.id, rule])) };
}

/**
 * The rules of that name, where they are known. An id means one rule for as long as a run lasts, so the code has to run
 * over no more of the journal than the beginning in which each of them was first asked.
 */
export async function rulesNamed(call: Call, { store, row }: Omit<RecordedRun, "records">, ids: readonly string[]) {
  const { RULE_BOOK } = await import("../../pipelines/rule-book.ts");
  const known = new Map((RULE_BOOK[row.pipeline] ?? []).map((rule) => [rule.id, rule]));
  if (ids.every((id) => known.has(id))) return known;
  const pipeline = await pipelineOf(call, row, {});
  if (typeof pipeline === "string") return known;
  const records = await untilAsked(store, row.id, new Set(ids));
  const given = await gatesGiven({ records, pipeline, world: store.world });
  for (const rule of [...given.values()].flatMap((each) => each.rules)) known.set(rule.id, rule);
  return known;
}

/** The journal up to the end of the step in which the last of these rules was first asked. */
async function untilAsked({ host }: RunStore, run: string, missing: Set<string>): Promise<readonly JournalRecord[]> {
  const read: JournalRecord[] = [];
  let last = "";
  for await (const records of pagesOf(host.journal, run)) {
    for (const record of records) {
      read.push(record);
      if (record.type === "gate.evaluated" && missing.delete(record.rule)) last = record.key;
      if (missing.size === 0 && record.type === "step.finished" && record.key === last) return read;
    }
  }
  return read;
}

export type Trusting = { readonly trust?: boolean };

/** Its code, or why it is not known. */
async function pipelineOf(call: Call, row: RunRow, flags: Trusting): Promise<Pipeline | string> {
  const { pipelines, trust } = await lookAtProject(call, { ...flags, pipeline: row.pipeline });
  const pipeline = pipelines.find(row.pipeline);
  if (pipeline) return pipeline;
  if (mayRun(trust)) return `there is no pipeline "${row.pipeline}" any more`;
  return `the pipeline ${row.pipeline} is the repository's own code, which is read only with --trust`;
}

/** A rule's id or a gate's name, as a person types it. */
export function isNamed(name: string, { gate, rule }: { readonly gate: string; readonly rule: string }): boolean {
  return isRule(name, rule) || gate.toLowerCase() === name.trim().toLowerCase();
}

/** `P-19` also names `P-19/scope`: what a pipeline promises as one may be several rules. */
export function isRule(name: string, id: string): boolean {
  const asked = name.trim().toLowerCase();
  return id.toLowerCase() === asked || id.toLowerCase().startsWith(`${asked}/`);
}

type ReplayOrder = {
  readonly records: readonly JournalRecord[];
  readonly pipeline: Pipeline;
  readonly world: World;
};

/**
 * Runs today's code over the journal and looks over its shoulder at every gate. Where the code no longer fits the
 * journal, or the run is still under way, what was met before that is known.
 */
export async function gatesGiven({ records, pipeline, world }: ReplayOrder): Promise<ReadonlyMap<string, GateGiven>> {
  const given = new Map<string, GateGiven>();
  const watched = { ...pipeline, body: (verbs: Verbs<unknown>) => pipeline.body(watching(verbs, given)) };
  // A turn of the loop and not of the microtasks: the engine, whose lease is renewed for ever, must notice that a run
  // that is still under way has nothing left to replay.
  const sleep = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await replay({ records, pipeline: watched, world: { ...world, sleep } });
  return given;
}

function watching(verbs: Verbs<unknown>, given: Map<string, GateGiven>): Verbs<unknown> {
  return {
    ...verbs,
    async gate(name, rules, about) {
      const decision = await verbs.gate(name, rules, about);
      // They are only ever called with this very `about` again.
      given.set(decision.id, { rules: rules as readonly Rule[], about: asStored(about) });
      return decision;
    },
  };
}
