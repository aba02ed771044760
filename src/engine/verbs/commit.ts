import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import { valueRule } from "../../core/authoring/rule.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { CommitOptions, Committed, Verbs } from "../../core/authoring/verbs.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { addTrailer, escapeOwnTrailers } from "../../core/text/trailers.ts";
import { listRenderedFiles, type Run } from "../run.ts";
import { createQuestionVerbs } from "./ask.ts";
import { settleRefusals } from "./facts/refusals.ts";
import { createGateVerbs } from "./gate.ts";
import { formatAgentsTrailer } from "./interlock/agents-trailer.ts";
import { formatCommitBrief } from "./interlock/commit-brief.ts";
import { OLD_FORM_WANTED, PROOF_WANTED } from "./interlock/declared-work.ts";
import { refuseForgedRows } from "./interlock/derived-rows.ts";
import { formatFailingTests } from "./interlock/exam-record.ts";
import { type Examination, examineCandidate, type CommitCandidate as TreeCandidate } from "./interlock/interlock.ts";
import { formatDocumentsMessage, type SeparatedDocuments, separateDocuments } from "./interlock/separate-documents.ts";
import { performOnce, runStepOrThrow } from "./world.ts";

/**
 * commit(), the interlock: a tree is committed only if the gates named for it have passed and the engine has seen the
 * project's own commands green on it. What evidence cannot decide is shown to a person.
 */
export function createCommitVerbs(run: Run): Pick<Verbs<unknown>, "commit"> {
  const commit = async (tree: Tree, given: CommitOptions & { readonly revisable?: Revisable }) => {
    const { revisable = false, ...options } = given;
    const branch = options.branch ?? `signalbox/${run.id}`;
    const candidate = { ...options, tree: tree.tree, branch };
    // Runs that started before this examination existed are replayed without it.
    const looks = run.started.preflight === true && findRefusal(run, tree.tree, options) === undefined;
    const documents = looks ? await separateDocuments(run, candidate) : undefined;
    const seen = looks ? await examineCommit(run, candidate, documents) : NO_FINDINGS;
    const unproven = revisable === true ? await sendBackUnproven(run, { seen, branch, tree }) : undefined;
    if (unproven) return { sentBack: unproven };
    const accepted = await askAcceptance(run, tree, {
      seen,
      revisable: revisable !== false,
      message: options.message,
      known: options.caveats ?? [],
    });
    if (accepted.sentBack) return { sentBack: accepted.sentBack };
    return performCommit(run, { ...candidate, seen, accepted, documents });
  };
  // Callers that do not declare their work revisable never get it sent back.
  return { commit: commit as Verbs<unknown>["commit"] };
}

/** Examines every tree that the commit would create. */
async function examineCommit(run: Run, candidate: TreeCandidate, documents: SeparatedDocuments | undefined) {
  const seen = await examineCandidate(run, candidate);
  if (!documents || documents.code === candidate.tree || seen.refusal !== undefined) return seen;
  const alone = await examineCandidate(run, { ...candidate, tree: documents.code });
  return {
    ...seen,
    ...alone,
    doubts: [...new Set([...seen.doubts, ...alone.doubts])],
    unproven: [...new Set([...(seen.unproven ?? []), ...(alone.unproven ?? [])])],
    edited: [...new Set([...(seen.edited ?? []), ...(alone.edited ?? [])])],
    caveats: [...new Set([...seen.caveats, ...alone.caveats])],
  };
}

const NO_FINDINGS: Examination = { doubts: [], caveats: [] };

/** `by a person`: only a person sends the work back; the engine does not for a missing red test. */
type Revisable = boolean | "by a person";
type UnprovenWork = { readonly seen: Examination; readonly branch: string; readonly tree: Tree };

/**
 * Sends work back once, before a person is asked, if it lacks only a test that is red without it, or edited a red test.
 * Runs that were examined before this check existed are replayed without it.
 */
async function sendBackUnproven(run: Run, { seen, branch, tree }: UnprovenWork): Promise<Decision | undefined> {
  const { refusal, doubts, edited = [] } = seen;
  const wasSentBack = run.state.unproven.has(branch);
  if (refusal !== undefined || (seen.unproven === undefined && edited.length === 0 && !wasSentBack)) return undefined;
  const unproven = [...(seen.unproven ?? []), ...edited];
  const isFirst = !wasSentBack && unproven.length > 0 && doubts.every((doubt) => unproven.includes(doubt));
  const isSettled = wasSentBack && unproven.length === 0;
  if (!isFirst && !isSettled) return undefined;
  const values = { unproven, ...(edited.length > 0 ? { edited } : {}), tree: tree.tree };
  const decision = await createGateVerbs(run).gate("red test", [RED_TEST], values);
  if (isSettled) run.state.unproven.delete(branch);
  else run.state.unproven.add(branch);
  return isFirst ? decision : undefined;
}

type RedTestInput = { readonly unproven: readonly string[]; readonly edited?: readonly string[] };

const RED_TEST = valueRule({
  id: "A-27",
  because: "a fix or a feature needs a test that fails without it",
  judge: ({ unproven, edited = [] }: RedTestInput) => ({
    passed: unproven.length === 0,
    findings: unproven.map((message) => ({
      severity: "major",
      message: `${message} ${edited.includes(message) ? OLD_FORM_WANTED : PROOF_WANTED}`,
      by: "exam",
    })),
    actual: unproven.length,
    need: 0,
  }),
});

/** Asks one question with the whole list. Autonomous runs wait for the answer too. */
async function askAcceptance(
  run: Run,
  tree: Tree,
  { seen, revisable, message, known }: AcceptanceInput,
): Promise<Acceptance> {
  const { refusal, doubts, named = [], printed, settled, excuses = [], diff = [], announced = [] } = seen;
  if (refusal !== undefined || doubts.length === 0) return { doubts: [] };
  const { choice, by, note, decision } = await createQuestionVerbs(run).ask({
    title: formatCommitQuestion(seen),
    show: {
      open: doubts,
      ...(known.length > 0 ? { known } : {}),
      ...printed,
      ...(named.length > 0 ? { tests: named } : {}),
      ...(announced.length > 0 ? { announced } : {}),
      ...(excuses.length > 0 ? { excuses } : {}),
      ...(diff.length > 0 ? { diff } : {}),
      ...(settled ? { settled } : {}),
    },
    brief: formatCommitBrief(run, message, { ...seen, known }),
    choices: revisable ? ["accept", "revise", "refuse"] : ["accept", "refuse"],
    ...(revisable ? { words: ["revise"], revises: "revise" } : {}),
    leads: {
      accept: "the tree is committed; the result of the run and its evidence record that you accepted it",
      revise: "the work goes back with your note",
      refuse: "nothing is committed",
    },
    auto: "never",
    accepts: "accept",
    tree,
  });
  if (choice === "revise")
    return { doubts: [], sentBack: { ...decision, findings: createObjections({ by, note }, seen) } };
  const said = `${by}${note === undefined ? "" : `: ${note}`}`;
  return choice === "accept" ? { doubts, said } : { doubts: [], refusal: `refused by ${said}` };
}

/** `known`: caveats of the pipeline that evidence does not show; they are part of the question. */
type AcceptanceInput = {
  readonly seen: Examination;
  readonly revisable: boolean;
  readonly message: string;
  readonly known: readonly string[];
};

type PersonAnswer = { readonly by: string; readonly note?: string | undefined };

/** Lists the note of the person first, then what evidence left open. */
function createObjections({ by, note }: PersonAnswer, { doubts, printed }: Examination): readonly Finding[] {
  const [first, ...others] = doubts.map((message): Finding => ({ severity: "minor", message }));
  const output = (printed?.printed ?? []).join("\n");
  return [
    ...(note === undefined ? [] : [{ severity: "major" as const, message: note, by }]),
    ...(first ? [output === "" ? first : { ...first, output }] : []),
    ...others,
  ];
}

/** Formats the question, cut to the length of one line. */
function formatCommitQuestion({ doubts, named = [], back }: Examination): string {
  if (named.length > 0) {
    const more = doubts.length > 1 ? ", and more is open" : "";
    return `${formatFailingTests({ named, back })}${more}: commit all the same?`;
  }
  const [first = ""] = doubts;
  if (doubts.length === 1) return `${shortenTitle(first, TITLE)}: commit all the same?`;
  return `${shortenTitle(first, TITLE_OF_MANY)}, one of ${doubts.length} things that evidence cannot decide: commit all the same?`;
}

const TITLE = 120;
const TITLE_OF_MANY = 90;

function shortenTitle(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text.replace(/\.$/, "");
}

type Acceptance = {
  readonly doubts: readonly string[];
  readonly said?: string;
  readonly refusal?: string;
  readonly sentBack?: Decision;
};
type CommitInput = CommitOptions & {
  readonly tree: string;
  readonly branch: string;
  readonly seen: Examination;
  readonly accepted: Acceptance;
  readonly documents: SeparatedDocuments | undefined;
};

function performCommit(run: Run, order: CommitInput): Promise<Committed> {
  const { tree, branch, message, parent, because, caveats = [], seen, accepted, documents } = order;
  return runStepOrThrow(run, {
    verb: "commit",
    name: "commit",
    input: {
      tree,
      message,
      branch: branch === `signalbox/${run.id}` ? null : branch,
      ...(parent === undefined ? {} : { parent }),
      because: because.map((each) => each.id),
    },
    work: async (place) => {
      const why = seen.refusal ?? accepted.refusal;
      const failure = findRefusal(run, tree, order) ?? (why === undefined ? undefined : refusal(why));
      if (failure) return { failure };
      await refuseForgedRows(run);
      const request = {
        tree,
        rendered: listRenderedFiles(run),
        message: await signMessage(run, message, place.first),
        branch,
        parent: run.state.commits.get(branch) ?? parent ?? run.started.base.commit,
        date: place.first.ts,
        ...(run.started.identity ? { identity: run.started.identity } : {}),
        ...(documents
          ? {
              documents: {
                ...documents,
                message: await signMessage(run, formatDocumentsMessage(message), place.first),
              },
            }
          : {}),
      };
      return { value: await performOnce(run, place, { kind: "commit", request }) };
    },
    keep: (value, { seq }) => {
      run.state.commits.set(branch, { seq, value: value.commit });
      settleRefusals(run, seq);
      run.state.committed.set(value.commit, tree);
      if (value.code !== undefined) run.state.committed.set(value.code, tree);
      for (const caveat of [
        ...caveats,
        ...seen.caveats,
        ...accepted.doubts.map((doubt) => `${doubt} (accepted by ${accepted.said})`),
      ])
        run.state.caveats.add(caveat);
    },
  });
}

/**
 * Adds trailers with the agents that worked on the commit and with the current chain head of the journal: a history
 * changed later no longer leads to it.
 */
async function signMessage(
  { host, recorder, id }: Run,
  message: string,
  first: { readonly seq: number; readonly chain: string },
): Promise<string> {
  await recorder.durable();
  const agents = formatAgentsTrailer(await host.journal.load(id), first.seq);
  const said = escapeOwnTrailers(message);
  const signed = agents === undefined ? said : addTrailer(said, agents);
  return addTrailer(signed, `Signalbox-Chain: ${first.seq}:${first.chain}`);
}

/**
 * Looks decisions up by their id: the pipeline only names them.
 * @rule A-18 (gate) A tree is committed only with passed decisions about that very tree, and while no gate blocks.
 */
function findRefusal(run: Run, tree: string, options: Pick<CommitOptions, "because">): Failure | undefined {
  if (options.because.length === 0) return refusal("no decision was named for it");
  for (const named of options.because) {
    const decision = run.state.decisions.get(named.id);
    if (!decision) return refusal(`"${named.id}" is not a decision of this run`);
    const why = findMismatch(decision, tree);
    if (why) return refusal(`"${decision.gate}" ${why}`);
  }
  const blocker = run.state.standing
    .entries()
    .map(([, decision]) => decision)
    .find((decision) => decision.blocked);
  return blocker ? refusal(`"${blocker.gate}" still blocks`) : undefined;
}

function findMismatch(decision: Decision, tree: string): string | undefined {
  if (!decision.passed) return "did not pass";
  if (decision.tree === undefined) return "does not name its tree";
  return decision.tree === tree ? undefined : `is about another tree (${decision.tree})`;
}

function refusal(why: string): Failure {
  return {
    class: "deterministic",
    code: "COMMIT_REFUSED",
    message: `The commit was refused: ${why.replace(/\.$/, "")}.`,
  };
}
