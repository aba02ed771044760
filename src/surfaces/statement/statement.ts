import { z } from "zod";
import { getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { Json } from "../../core/text/json.ts";
import { selectLatestDecisions } from "../../views/gates.ts";
import { foldRunView, type RunView } from "../../views/run-view.ts";

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "https://signalbox.dev/evidence/v1";
export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

const Hex = z.string().regex(/^[0-9a-f]{40,64}$/);
const Commit = z.strictObject({ commit: Hex, tree: Hex, branch: z.string() });

/** Facts about one run that the engine observed, for people who take its commit. */
const Predicate = z.strictObject({
  run: z.string(),
  tool: z.strictObject({ name: z.literal("signalbox"), version: z.string() }),
  pipeline: z.strictObject({ name: z.string(), version: z.number(), hash: z.string() }),
  status: z.string(),
  confidence: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number(),
  base: z.strictObject({ commit: z.string(), tree: z.string() }),
  commits: z.array(Commit).min(1),
  /** The latest decision of each gate, with the numbers of each rule. */
  gates: z.array(
    z.strictObject({
      gate: z.string(),
      key: z.string(),
      passed: z.boolean(),
      tree: z.string().nullable(),
      rules: z.array(z.strictObject({ rule: z.string(), passed: z.boolean(), actual: Json, need: Json })),
    }),
  ),
  /** Every result of every check, in journal order. */
  evidence: z.array(
    z.strictObject({
      seq: z.number(),
      check: z.string(),
      task: z.string(),
      when: z.enum(["baseline", "after"]),
      tree: z.string(),
      command: z.string(),
      exit: z.number().nullable(),
      outcome: z.string(),
      tests: z
        .strictObject({ total: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() })
        .nullable(),
      /** Digest of the complete output. */
      digest: z.string(),
    }),
  ),
  approvals: z.array(
    z.strictObject({
      approval: z.string(),
      title: z.string(),
      choice: z.string(),
      by: z.string(),
      /** The database role of the person who answered, in a team. */
      role: z.string().optional(),
      at: z.number(),
      /** Hash of the displayed content. */
      hash: z.string(),
    }),
  ),
  /** The driver of each role, and its model if one was selected. */
  agents: z.array(z.strictObject({ role: z.string(), by: z.array(z.string()) })),
  caveats: z.array(z.string()),
  exemption: z.strictObject({ reason: z.string(), from: z.string().nullable() }).nullable(),
  /** The head of the journal. Its hash covers all records up to it. */
  chain: z.strictObject({ seq: z.number().int(), chain: z.string() }),
});
export type Predicate = z.infer<typeof Predicate>;

const Subject = z.strictObject({ name: z.string(), digest: z.record(z.string(), Hex) });

export const Statement = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(Subject).min(2),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: Predicate,
});
export type Statement = z.infer<typeof Statement>;
type RunCommitFacts = z.infer<typeof Commit>;

export type StatementInputs = {
  /** All records up to the end that the statement covers. */
  readonly records: readonly JournalRecord[];
  readonly commits: readonly RunCommitFacts[];
  readonly version: string;
};

export function buildStatement({ records, commits, version }: StatementInputs): Statement {
  const view = foldRunView(records);
  return {
    _type: STATEMENT_TYPE,
    subject: commits.flatMap(({ commit, tree }) => [
      { name: `commit ${commit}`, digest: { gitCommit: commit } },
      { name: `tree of ${commit}`, digest: { gitTree: tree } },
    ]),
    predicateType: PREDICATE_TYPE,
    predicate: {
      ...getRunFacts(view, records),
      tool: { name: "signalbox", version },
      commits: [...commits],
      gates: selectLatestDecisions(view).map(({ gate, key, passed, tree = null, rules }) => {
        return { gate, key, passed, tree, rules: rules.map(({ seq: _seq, params: _params, ...rule }) => rule) };
      }),
      evidence: view.evidence.map((seen) => {
        const { seq, check, task, phase: when, tree, command, exitCode: exit, digest } = seen;
        return {
          seq,
          check,
          task,
          when,
          tree,
          command,
          exit,
          outcome: getOutcomeWord(seen),
          tests: toTestCounts(seen),
          digest,
        };
      }),
      approvals: view.questions.flatMap(({ asked: { approval, title }, answer }) =>
        answer ? [{ approval, title, ...getAnswerFacts(answer), at: answer.ts, hash: answer.hash }] : [],
      ),
      agents: listAgents(view),
    },
  };
}

function getRunFacts(view: RunView, records: readonly JournalRecord[]) {
  const { run, pipeline: name, version, status, startedAt, lastAt: endedAt, base, caveats, head: chain, end } = view;
  const started = records.find((record) => record.type === "run.started");
  const { hash = "", exempt, exemptFrom: from = null } = started ?? {};
  return {
    run,
    pipeline: { name, version, hash },
    status,
    confidence: end?.type === "run.finished" ? (end.confidence ?? null) : null,
    startedAt,
    endedAt,
    base,
    caveats: [...caveats],
    exemption: exempt === undefined ? null : { reason: exempt, from },
    chain,
  };
}

function toTestCounts({ tests }: RunView["evidence"][number]): Predicate["evidence"][number]["tests"] {
  if (!tests) return null;
  const { total, passed, failed, skipped } = tests;
  return { total, passed, failed, skipped };
}

function getAnswerFacts({ choice, by, role }: JournalRecord<"approval.decided">) {
  return { choice, by, ...(role === undefined ? {} : { role }) };
}

function listAgents({ attempts }: RunView): Predicate["agents"] {
  return [...Map.groupBy(attempts, ({ started }) => started.role)].map(([role, tries]) => {
    return { role, by: [...new Set(tries.flatMap(({ finished }) => finished?.by ?? []))].sort() };
  });
}
