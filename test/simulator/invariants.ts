import type { Limits } from "../../src/core/budget/budget.ts";
import { CHAIN_START, hashChain } from "../../src/engine/drive/recorder.ts";
import { replayJournal } from "../../src/engine/replay/replay.ts";
import { SIGNATURE } from "./agents.ts";
import { aCommitIsOrderedOneWay, commitsRestOnThatTree, noCommitWhileABlockerStands } from "./commits.ts";
import { EXCUSED } from "./faults.ts";
import { rowsFollowFromTheJournal } from "./ledger-rows.ts";
import { recordsOf } from "./records.ts";
import type { Played } from "./schedule.ts";

/** An invariant after every schedule. Returns one sentence per violation. */
type Invariant = (played: Played) => readonly string[] | Promise<readonly string[]>;

/** I1: sequence numbers have no gap, and each record is chained to the previous one. */
function journalIsAnUnbrokenChain({ records, world }: Played): readonly string[] {
  let before = CHAIN_START;
  for (const [index, record] of records.entries()) {
    if (record.seq !== index + 1) return [`record ${index + 1} has the number ${record.seq}`];
    const { chain, ...bare } = record;
    if (hashChain(world, before, bare) !== chain)
      return [`record ${record.seq} does not follow from what is before it`];
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

/** Engines leave with the run's result, or because another engine owns it; never with their own fault. */
function enginesLeaveInOrder({ witness }: Played): readonly string[] {
  return witness.drives
    .filter(({ came }) => /[A-Z]/.test(came) && !EXCUSED.has(came) && came !== "FENCED" && came !== "RUN_OWNED")
    .map(({ owner, came }) => `${owner} left with ${came}`);
}

/** I3: every reported end or state of a run is in the journal. */
function whatIsToldIsStored({ witness }: Played): readonly string[] {
  return witness.drives
    .filter(({ came, stored }) => /^[a-z]/.test(came) && came !== stored)
    .map(({ owner, came, stored }) => `${owner} left with ${came}, and the journal says ${stored}`);
}

/** I2, G7: replaying the finished journal with current code requests nothing new and reaches the same end. */
async function replayGivesTheSameJournal({ records, pipeline, world, ended }: Played): Promise<readonly string[]> {
  if (ended === "canceled" || ended.startsWith("!")) return [];
  const replayed = await replayJournal({ records, pipeline, world });
  return replayed.ok ? [] : [`replay: ${replayed.error.code}: ${replayed.error.message}`];
}

/** I3: every acknowledged record is stored, and no other. */
function nothingAcknowledgedIsLost({ records, witness }: Played): readonly string[] {
  const told = witness.stored.flatMap((each) => each.records);
  const lost = told.find((record) => records[record.seq - 1]?.chain !== record.chain);
  if (lost) return [`record ${lost.seq} was acknowledged and is gone`];
  const first = told[0]?.seq ?? 1;
  return records.length - first + 1 === told.length ? [] : ["there are records that nobody appended"];
}

/** I4: no effect starts before its intent is stored. */
function intentsComeFirst({ witness }: Played): readonly string[] {
  return witness.begun.filter((each) => !each.intended).map(({ id }) => `${id} was begun without a stored intent`);
}

/** I4: no result without an intent, and one result for each. */
function everyIntentHasOneResult(played: Played): readonly string[] {
  const pairs = [
    [recordsOf(played, "step.started").map(({ key }) => key), recordsOf(played, "step.finished").map(({ key }) => key)],
    [recordsOf(played, "agent.started").map(named), recordsOf(played, "agent.finished").map(named)],
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

/**
 * Returns whether the run finished its work. A canceled run leaves work behind, and a branch that ends the run does
 * not wait for its siblings' questions.
 */
function isWhole(played: Played): boolean {
  const open = recordsOf(played, "approval.requested").length > recordsOf(played, "approval.decided").length;
  return !open && played.ended !== "canceled" && !played.ended.startsWith("!");
}

/** I5: an agent is started at most once per attempt. */
function noAttemptStartsTwice({ witness }: Played): readonly string[] {
  const starts = witness.begun.filter(({ kind, how }) => kind === "attempt" && how === "start").map(({ id }) => id);
  return twice(starts).map((id) => `${id} was started twice`);
}

/** An attempt continues the conversation of the previous one if that was cut off in one, and only then. */
function cutOffIsGoneOnWith(played: Played): readonly string[] {
  const ends = new Map(recordsOf(played, "agent.finished").map((each) => [named(each), each]));
  return recordsOf(played, "agent.started").flatMap(({ key, attempt, continues }) => {
    const before = ends.get(named({ key, attempt: attempt - 1 }));
    const session = before?.outcome === "interrupted" ? before.session : undefined;
    return session === continues ? [] : [`${key}@${attempt} goes on with ${continues} instead of ${session}`];
  });
}

/** I8: a pipeline moves only as declared, and skips nothing silently. */
function movesAreDeclared({ witness }: Played): readonly string[] {
  return witness.undeclared.map((move) => `${move} is not declared`);
}

/** I8: a role works only in the phases that name it. */
function rolesKeepToTheirPhases(played: Played): readonly string[] {
  const phases = new Map(recordsOf(played, "step.started").map(({ key, phase }) => [key, phase]));
  return recordsOf(played, "agent.started").flatMap(({ key, role }) => {
    const spec = played.pipeline.phases.find(({ title }) => title === phases.get(key));
    return !spec?.roles || spec.roles.some(({ name }) => name === role) ? [] : [`${role} worked in ${spec.title}`];
  });
}

/** I11: a text that is no contract is never accepted as one. */
function onlyContractsCount(played: Played): readonly string[] {
  const done = new Set(
    recordsOf(played, "agent.finished").flatMap((each) => (each.outcome === "done" ? [named(each)] : [])),
  );
  return [...played.witness.unreadable].flatMap(([effect, habit]) =>
    done.has(effect.slice(played.run.length + 1)) ? [`${effect} ${habit} and was taken as done`] : [],
  );
}

/** I12: a question is decided once, for the shown content, by a person who was asked. */
function approvalsAreDecidedOnce(played: Played): readonly string[] {
  const asked = new Map(recordsOf(played, "approval.requested").map((each) => [each.approval, each]));
  const autonomous = played.records[0]?.type === "run.started" && played.records[0].approvals === "autonomous";
  const decided = recordsOf(played, "approval.decided");
  return [
    ...twice(decided.map(({ approval }) => approval)).map((id) => `${id} was decided twice`),
    ...decided.flatMap(({ approval, hash, choice, by }) => {
      const question = asked.get(approval);
      if (!question || question.hash !== hash) return [`${approval} was decided for something else than was shown`];
      if (!question.choices.includes(choice)) return [`${approval}: ${choice} was no choice`];
      if (by === "automatic")
        return autonomous && question.auto !== "never" ? [] : [`${approval} was nobody's decision`];
      const sent = played.witness.letters.some(({ letter: signal }) =>
        signal.kind === "answer"
          ? signal.approval === approval && signal.hash === hash && signal.choice === choice && signal.by === by
          : signal.kind === "resume" && question.pause === true,
      );
      return sent ? [] : [`${approval}: ${by} never said ${choice}`];
    }),
  ];
}

/** I13: no engine runs more agents at once than the pipeline allows. */
function theCapHolds({ witness, pipeline }: Played): readonly string[] {
  const over = witness.begun.find(({ underWay }) => underWay > pipeline.cap);
  return over ? [`${over.underWay} agents worked at once, ${pipeline.cap} may`] : [];
}

/** I14: an engine that lost the run does nothing more to the world. */
function theFencedStandBack({ witness }: Played): readonly string[] {
  return witness.afterFence.map((what) => `after it was fenced, an engine went on: ${what}`);
}

/** I17: the roadmap's blocked item is in the file before the run reports it. */
function blockedIsWrittenBeforeItIsTold(played: Played): readonly string[] {
  if (played.pipeline.name !== "roadmap" || played.ended !== "blocked") return [];
  const last = played.witness.writes.findLast(({ path }) => path.endsWith("roadmap.json") && !path.startsWith("."));
  return last?.text.includes('"blocked"') ? [] : ["the run ended blocked, and the file does not say so"];
}

/** I18: the run ends on its own. */
function itComesToAnEnd({ ended }: Played): readonly string[] {
  return ended.startsWith("!") ? [ended] : [];
}

/** Ends are final: late messages and another engine find the same end and add nothing. */
function endsAreSticky({ records, recordsAtEnd, ended, witness }: Played): readonly string[] {
  if (ended.startsWith("!")) return [];
  const at = records.findIndex((record) => record.type === "run.finished");
  const last = witness.drives.at(-1);
  return [
    ...(at !== recordsAtEnd - 1 || records.length !== recordsAtEnd ? ["something was recorded after the end"] : []),
    ...(last?.came === ended ? [] : [`driven again, the run came to ${last?.came} instead of ${ended}`]),
  ];
}

/** No dispatch follows the end, or a person's cancel. */
function nobodyIsDispatchedAfterwards({ witness }: Played): readonly string[] {
  const canceled =
    witness.letters.find(({ letter: signal }) => signal.kind === "cancel")?.at ?? Number.POSITIVE_INFINITY;
  return witness.begun
    .filter(({ kind, how, wasStopped }) => kind === "attempt" && how === "start" && !wasStopped)
    .flatMap(({ id, at, ended }) => [
      ...(ended ? [`${id} was dispatched after the end`] : []),
      ...(at > canceled ? [`${id} was dispatched after a cancel`] : []),
    ]);
}

/** Before each dispatch, the spending of all earlier ones is below the limit at that time. */
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

/** I20: the value that a signed role must return is exposed nowhere. */
function signaturesStaySecret({ records }: Played): readonly string[] {
  return JSON.stringify(records).includes(SIGNATURE) ? ["the journal names an expected signature"] : [];
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
  cutOffIsGoneOnWith,
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
