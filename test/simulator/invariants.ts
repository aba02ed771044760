import type { Limits } from "../../src/core/budget.ts";
import { LEDGER_TABLES, type LedgerTable } from "../../src/core/ledger.ts";
import type { JournalRecord } from "../../src/core/record.ts";
import { CHAIN_START, chained } from "../../src/engine/recorder.ts";
import { replay } from "../../src/engine/replay.ts";
import { type LedgerInsert, ledgerRows } from "../../src/hosts/ledger/rows.ts";
import { SIGNATURE } from "./agents.ts";
import { EXCUSED } from "./faults.ts";
import type { Played } from "./schedule.ts";

/** What must hold after every schedule. Each says what is wrong, one sentence per violation. */
type Invariant = (played: Played) => readonly string[] | Promise<readonly string[]>;

const of = <T extends JournalRecord["type"]>({ records }: Played, type: T): readonly JournalRecord<T>[] =>
  // The filter leaves records of that type only.
  records.filter((record) => record.type === type) as unknown as readonly JournalRecord<T>[];

/** I1: numbers without a gap, each record chained to the one before. */
function journalIsAnUnbrokenChain({ records, world }: Played): readonly string[] {
  let before = CHAIN_START;
  for (const [index, record] of records.entries()) {
    if (record.seq !== index + 1) return [`record ${index + 1} has the number ${record.seq}`];
    const { chain, ...bare } = record;
    if (chained(world, before, bare) !== chain) return [`record ${record.seq} does not follow from what is before it`];
    before = chain;
  }
  return [];
}

/** I1, I14: only the newest claim appends. */
function onlyTheOwnerAppends({ witness }: Played): readonly string[] {
  return witness.stored
    .filter(({ fence, newest }) => fence !== newest)
    .map(({ owner, fence, newest }) => `${owner} appended with claim ${fence} when ${newest} was the newest`);
}

/** Engines leave with what happened to the run, or because it is another's; never with a fault of their own. */
function enginesLeaveInOrder({ witness }: Played): readonly string[] {
  return witness.drives
    .filter(({ came }) => /[A-Z]/.test(came) && !EXCUSED.has(came) && came !== "FENCED" && came !== "RUN_OWNED")
    .map(({ owner, came }) => `${owner} left with ${came}`);
}

/** I3: whoever is told how a run ended, or stands, can read it in the journal. */
function whatIsToldIsStored({ witness }: Played): readonly string[] {
  return witness.drives
    .filter(({ came, stored }) => /^[a-z]/.test(came) && came !== stored)
    .map(({ owner, came, stored }) => `${owner} left with ${came}, and the journal says ${stored}`);
}

/** I2, G7: today's code over the finished journal asks for nothing else and comes to the same end. */
async function replayGivesTheSameJournal({ records, pipeline, world, ended }: Played): Promise<readonly string[]> {
  if (ended === "canceled" || ended.startsWith("!")) return [];
  const replayed = await replay({ records, pipeline, world });
  return replayed.ok ? [] : [`replay: ${replayed.error.code}: ${replayed.error.message}`];
}

/** I3: what was acknowledged is there, and nothing else. */
function nothingAcknowledgedIsLost({ records, witness }: Played): readonly string[] {
  const told = witness.stored.flatMap((each) => each.records);
  const lost = told.find((record) => records[record.seq - 1]?.chain !== record.chain);
  if (lost) return [`record ${lost.seq} was acknowledged and is gone`];
  const first = told[0]?.seq ?? 1;
  return records.length - first + 1 === told.length ? [] : ["there are records that nobody appended"];
}

/** I4: no effect begins before its intent is stored. */
function intentsComeFirst({ witness }: Played): readonly string[] {
  return witness.begun.filter((each) => !each.intended).map(({ id }) => `${id} was begun without a stored intent`);
}

/** I4: no result without an intent, and one result for each. */
function everyIntentHasOneResult(played: Played): readonly string[] {
  const pairs = [
    [of(played, "step.started").map(({ key }) => key), of(played, "step.finished").map(({ key }) => key)],
    [of(played, "agent.started").map(named), of(played, "agent.finished").map(named)],
  ] as const;
  return pairs.flatMap(([begun, finished]) => [
    ...twice(begun).map((id) => `${id} was begun twice`),
    ...twice(finished).map((id) => `${id} has two results`),
    ...finished.filter((id) => !begun.includes(id)).map((id) => `${id} has a result and was never begun`),
    ...(isWhole(played) ? begun.filter((id) => !finished.includes(id)).map((id) => `${id} has no result`) : []),
  ]);
}

const named = ({ key, attempt }: { key: string; attempt: number }): string => `${key}@${attempt}`;
const twice = (ids: readonly string[]): readonly string[] => {
  const once = new Set<string>();
  return ids.filter((id) => once.size === once.add(id).size);
};

/** A canceled run leaves work behind; and a branch that ends the run does not wait for its siblings' questions. */
function isWhole(played: Played): boolean {
  const open = of(played, "approval.requested").length > of(played, "approval.decided").length;
  return !open && played.ended !== "canceled" && !played.ended.startsWith("!");
}

/** I5: an agent is started at most once per attempt. */
function noAttemptStartsTwice({ witness }: Played): readonly string[] {
  const starts = witness.begun.filter(({ kind, how }) => kind === "attempt" && how === "start").map(({ id }) => id);
  return twice(starts).map((id) => `${id} was started twice`);
}

/** I6: however often a commit is ordered, it is the same commit. */
function aCommitIsOrderedOneWay({ witness }: Played): readonly string[] {
  return [...witness.commits].filter(([, orders]) => orders.size > 1).map(([id]) => `${id} was ordered in two ways`);
}

/** I7: what is committed has passed every gate that is named for it, on that very tree, with evidence of it. */
function commitsRestOnThatTree(played: Played): readonly string[] {
  const judged = of(played, "gate.evaluated");
  const accepted = new Set(of(played, "approval.decided").map(({ key }) => key));
  const evidence = of(played, "evidence.recorded");
  return treesCommitted(played).flatMap((tree) => {
    const reasons = played.witness.reasons.filter((each) => each.tree === tree).at(-1)?.because ?? [];
    const misses = reasons.flatMap(({ id, tree: about }) => {
      const rules = judged.filter(({ key }) => key === id);
      if (about !== tree) return [`${id} speaks of ${about}, not of ${tree}`];
      if (rules.length === 0) return accepted.has(id) ? [] : [`${id} was never decided`];
      return rules
        .filter((rule) => !rule.passed || rule.tree !== tree)
        .map(({ rule }) => `${id}: ${rule} did not pass`);
    });
    const seen = evidence.some((each) => each.tree === tree && each.phase === "after");
    return [
      ...(reasons.length === 0 ? [`${tree} was committed for no reason`] : misses),
      ...(seen ? [] : [`${tree} was committed and never checked`]),
    ];
  });
}

function treesCommitted({ witness }: Played): readonly string[] {
  // Written by the stagehand from commit requests.
  return [...witness.commits.values()].flatMap((orders) =>
    [...orders].map((order) => (JSON.parse(order) as { tree: string }).tree),
  );
}

/** I8: a pipeline moves only as its declaration says, and skips nothing silently. */
function movesAreDeclared({ witness }: Played): readonly string[] {
  return witness.undeclared.map((move) => `${move} is not declared`);
}

/** I8: a role works only in the phases that name it. */
function rolesKeepToTheirPhases(played: Played): readonly string[] {
  const phases = new Map(of(played, "step.started").map(({ key, phase }) => [key, phase]));
  return of(played, "agent.started").flatMap(({ key, role }) => {
    const spec = played.pipeline.phases.find(({ title }) => title === phases.get(key));
    return !spec?.roles || spec.roles.some(({ name }) => name === role) ? [] : [`${role} worked in ${spec.title}`];
  });
}

/** I10: while a decision that blocks stands, nothing is committed. */
function noCommitWhileABlockerStands(played: Played): readonly string[] {
  const gates = new Map(
    of(played, "step.started").flatMap(({ key, verb, scope }) => (verb === "gate" ? [[key, scope] as const] : [])),
  );
  const standing = new Map<string, boolean>();
  for (const record of played.records) {
    if (record.type === "step.finished" && gates.has(record.key)) {
      // The value of a gate step is its decision.
      const { gate, blocked } = record.value as { gate: string; blocked: boolean };
      standing.set(`${gate} ${placeOf(gates.get(record.key) ?? "")}`, blocked);
    }
    if (record.type !== "step.started" || record.verb !== "commit") continue;
    const blocker = [...standing].find(([, blocked]) => blocked);
    const made = played.witness.commits.has(`${played.run}/${record.key}@1`);
    if (blocker && made) return [`committed while ${blocker[0]} blocks`];
  }
  return [];
}

/** Rounds of one loop ask the same gate again; branches ask their own. */
const placeOf = (scope: string): string => scope.replaceAll(/\/\d+\.round-\d+/g, "").replaceAll(/\/\d+\./g, "/");

/** I11: what is no contract is never taken for one. */
function onlyContractsCount(played: Played): readonly string[] {
  const done = new Set(of(played, "agent.finished").flatMap((each) => (each.outcome === "done" ? [named(each)] : [])));
  return [...played.witness.unreadable].flatMap(([effect, habit]) =>
    done.has(effect.slice(played.run.length + 1)) ? [`${effect} ${habit} and was taken as done`] : [],
  );
}

/** I12: a question is decided once, for what was shown, by somebody who was asked. */
function approvalsAreDecidedOnce(played: Played): readonly string[] {
  const asked = new Map(of(played, "approval.requested").map((each) => [each.approval, each]));
  const autonomous = played.records[0]?.type === "run.started" && played.records[0].approvals === "autonomous";
  const decided = of(played, "approval.decided");
  return [
    ...twice(decided.map(({ approval }) => approval)).map((id) => `${id} was decided twice`),
    ...decided.flatMap(({ approval, hash, choice, by }) => {
      const question = asked.get(approval);
      if (!question || question.hash !== hash) return [`${approval} was decided for something else than was shown`];
      if (!question.choices.includes(choice)) return [`${approval}: ${choice} was no choice`];
      if (by === "automatic")
        return autonomous && question.auto !== "never" ? [] : [`${approval} was nobody's decision`];
      const sent = played.witness.letters.some(({ letter }) =>
        letter.kind === "answer"
          ? letter.approval === approval && letter.hash === hash && letter.choice === choice && letter.by === by
          : letter.kind === "resume" && question.pause === true,
      );
      return sent ? [] : [`${approval}: ${by} never said ${choice}`];
    }),
  ];
}

/** I13: no engine lets more agents work at once than the pipeline allows. */
function theCapHolds({ witness, pipeline }: Played): readonly string[] {
  const over = witness.begun.find(({ underWay }) => underWay > pipeline.cap);
  return over ? [`${over.underWay} agents worked at once, ${pipeline.cap} may`] : [];
}

/** I14: an engine that was told that the run is another's does nothing more to the world. */
function theFencedStandBack({ witness }: Played): readonly string[] {
  return witness.afterFence.map((what) => `after it was fenced, an engine went on: ${what}`);
}

/** I17: the roadmap's blocked item is in the file before the run says so. */
function blockedIsWrittenBeforeItIsTold(played: Played): readonly string[] {
  if (played.pipeline.name !== "roadmap" || played.ended !== "blocked") return [];
  const last = played.witness.writes.findLast(({ path }) => path.endsWith("roadmap.json") && !path.startsWith("."));
  return last?.text.includes('"blocked"') ? [] : ["the run ended blocked, and the file does not say so"];
}

/** I18: it comes to an end by itself. */
function itComesToAnEnd({ ended }: Played): readonly string[] {
  return ended.startsWith("!") ? [ended] : [];
}

/** Ends are sticky: late letters and another engine find the same end and add nothing. */
function endsAreSticky({ records, recordsAtEnd, ended, witness }: Played): readonly string[] {
  if (ended.startsWith("!")) return [];
  const at = records.findIndex((record) => record.type === "run.finished");
  const last = witness.drives.at(-1);
  return [
    ...(at !== recordsAtEnd - 1 || records.length !== recordsAtEnd ? ["something was recorded after the end"] : []),
    ...(last?.came === ended ? [] : [`driven again, the run came to ${last?.came} instead of ${ended}`]),
  ];
}

/** After the end, or after a person's cancel, nobody is dispatched. */
function nobodyIsDispatchedAfterwards({ witness }: Played): readonly string[] {
  const canceled = witness.letters.find(({ letter }) => letter.kind === "cancel")?.at ?? Number.POSITIVE_INFINITY;
  return witness.begun
    .filter(({ kind, how, wasStopped }) => kind === "attempt" && how === "start" && !wasStopped)
    .flatMap(({ id, at, ended }) => [
      ...(ended ? [`${id} was dispatched after the end`] : []),
      ...(at > canceled ? [`${id} was dispatched after a cancel`] : []),
    ]);
}

/** Before each dispatch, what all earlier ones have spent is below the limit that then holds. */
function limitsHold({ records }: Played): readonly string[] {
  let limits: Limits = {};
  let [dispatches, usd] = [0, 0];
  for (const record of records) {
    if (record.type === "run.started" || record.type === "run.resumed") limits = { ...limits, ...record.limits };
    if (record.type === "agent.finished") usd += record.usage?.usd ?? 0;
    if (record.type !== "agent.started") continue;
    const spent = `${dispatches} dispatches and ${usd.toFixed(2)} USD`;
    if (
      dispatches >= (limits.dispatches ?? Number.POSITIVE_INFINITY) ||
      usd >= (limits.usd ?? Number.POSITIVE_INFINITY)
    )
      return [`${record.effect} was dispatched after ${spent}`];
    dispatches += 1;
  }
  return [];
}

/** I20: what a signed role must give back comes to light nowhere. */
function signaturesStaySecret({ records }: Played): readonly string[] {
  return JSON.stringify(records).includes(SIGNATURE) ? ["the journal names an expected signature"] : [];
}

// The names are the keys of the same object.
const TABLES = Object.keys(LEDGER_TABLES) as LedgerTable[];

/** The ledger has the rows that follow from the journal, and no others. */
async function rowsFollowFromTheJournal({ records, host, run }: Played): Promise<readonly string[]> {
  const derived = records.flatMap((record) => (record.rows ? ledgerRows(record) : [])).filter(firstWitness());
  const wrong: string[] = [];
  for (const table of TABLES) {
    const columns: readonly string[] = LEDGER_TABLES[table];
    const row = columns.map((name) => `quote(${name})`).join(" || ',' || ");
    const sql = `SELECT group_concat(line, char(10)) AS actual FROM (SELECT ${row} AS line FROM ${table} WHERE run_id = :run ORDER BY id)`;
    const stored = String((await host.ledger.ask(sql, { run }))?.["actual"] ?? "");
    const lines = derived.filter((each) => each.table === table).map(({ values }) => values.map(quoted).join(","));
    if (stored !== lines.join("\n")) wrong.push(`${table} has other rows than the journal gives`);
  }
  return wrong;
}

/** The ledger keeps the first of two rows about the same check on the same tree; the journal keeps both. */
function firstWitness(): (row: LedgerInsert) => boolean {
  const seen = new Set<string>();
  const at = UNIQUE.map((column) => LEDGER_TABLES.anvil_checks.indexOf(column));
  return ({ table, values }) =>
    table !== "anvil_checks" || seen.size < seen.add(JSON.stringify(at.map((index) => values[index]))).size;
}
const UNIQUE = ["run_id", "task_id", "phase", "round", "instance", "check_name", "tree"] as const;

function quoted(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

const INVARIANTS: readonly Invariant[] = [
  itComesToAnEnd,
  journalIsAnUnbrokenChain,
  onlyTheOwnerAppends,
  enginesLeaveInOrder,
  whatIsToldIsStored,
  replayGivesTheSameJournal,
  nothingAcknowledgedIsLost,
  intentsComeFirst,
  everyIntentHasOneResult,
  noAttemptStartsTwice,
  aCommitIsOrderedOneWay,
  commitsRestOnThatTree,
  movesAreDeclared,
  rolesKeepToTheirPhases,
  noCommitWhileABlockerStands,
  onlyContractsCount,
  approvalsAreDecidedOnce,
  theCapHolds,
  theFencedStandBack,
  blockedIsWrittenBeforeItIsTold,
  endsAreSticky,
  nobodyIsDispatchedAfterwards,
  limitsHold,
  signaturesStaySecret,
  rowsFollowFromTheJournal,
];

export type Violation = { readonly invariant: string; readonly what: string };

export async function violationsOf(played: Played): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  for (const invariant of INVARIANTS) {
    for (const what of await invariant(played)) found.push({ invariant: invariant.name, what });
  }
  return found;
}
