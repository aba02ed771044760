import type { End } from "../../core/authoring/end.ts";
import type { Answer, Verbs } from "../../core/authoring/verbs.ts";
import { pickNonEmpty } from "../non-empty.ts";
import { type RunAccount, SELF_CHECK } from "./building/self-check.ts";
import type { Remark } from "./handover/inputs.ts";
import {
  createAccount,
  createErrorEntry,
  type ErrorEntry,
  getReport,
  getStatusFacts,
  listTroubles,
  openTally,
  type RunTally,
  sortEntries,
  type WorkDone,
} from "./tally.ts";

/** The verbs, with a tally of steps, outputs, failed dispatches and rounds. */
export type LedgerContext<Input = unknown> = Verbs<Input> & {
  /** Starts a step and shows the progress in `status`. */
  begin(title: string): Promise<void>;
  round(loop: keyof RunAccount["rounds"], round: number): void;
  risk(overall: string): void;
  /** Stores a person's remark; every later dispatch gets it. */
  remark(remark: Remark): void;
  heard(): { readonly remarks?: readonly Remark[] };
  /** Records the work tree, so that every end of the run can name it. */
  leave(work: WorkDone): void;
  /** Returns the text last written to a document. */
  written(path: string): string | undefined;
  /** Lists the run's documents below these names, for agents that need more than their input. */
  toRead(folder: string, ...names: readonly string[]): { readonly documents?: readonly string[] };
  /** Ends the run as ERROR. Not allowed inside a parallel branch. */
  fail(reason: string): Promise<never>;
  /** Runs the self-check, which is recorded and changes nothing. */
  close(end: End): Promise<End>;
  failures(): readonly ErrorEntry[];
  /** Returns what went wrong so far: failed dispatches, retried answers, missed gates. */
  troubles(): ReturnType<typeof listTroubles>;
};

/**
 * @rule L-29 (code) The result is DONE or ERROR, never NEEDS_REVISION.
 * @rule L-45 (code) Failed dispatches are listed in the error log with step, agent, error and retry; `status` shows
 *   them beside step, risk and outputs.
 */
export function openContext<Input>(verbs: Verbs<Input>): LedgerContext<Input> {
  const tally = openTally();
  const attempt = createCountingAttempt(tally, verbs);
  const close = async (end: End): Promise<End> => {
    await verbs.gate("self-check", SELF_CHECK, createAccount(tally, end));
    await verbs.note(getStatusFacts(tally));
    return { ...end, report: { ...getReport(end), ...describeLeftWork(tally, end), ...getStatusFacts(tally) } };
  };
  const fail = async (reason: string): Promise<never> => verbs.end(await close({ status: "error", reason }));
  return {
    ...verbs,
    attempt,
    async agent(role, input, options) {
      const outcome = await attempt(role, input, options);
      return outcome.ok ? outcome.value : fail(`${options?.as ?? role.name} failed: ${outcome.failure.message}`);
    },
    ...createRecordingVerbs(tally, verbs),
    async begin(title) {
      verbs.phase(title);
      tally.step = title;
      tally.steps.add(title);
      await verbs.note(getStatusFacts(tally));
    },
    round: (loop, round) => {
      tally.rounds[loop] = round;
    },
    risk: (overall) => {
      tally.risk = overall;
    },
    remark: (remark) => {
      tally.remarks.push(remark);
    },
    heard: () => (tally.remarks.length > 0 ? { remarks: [...tally.remarks] } : {}),
    leave: (work) => {
      tally.work = work;
    },
    written: (path) => tally.texts.get(path),
    toRead: (folder, ...names) =>
      pickNonEmpty({ documents: [...tally.texts.keys()].filter((path) => isBelow(path, folder, names)).sort() }),
    fail,
    close,
    failures: () => sortEntries(tally.errors),
    troubles: () => listTroubles(tally),
  };
}

/** Wraps `attempt` to count dispatches, failures and retries. Rejected drafts are removed from the answer. */
function createCountingAttempt<Input>(tally: RunTally, verbs: Verbs<Input>): Verbs<Input>["attempt"] {
  return async (role, input, options) => {
    const outcome = await verbs.attempt(role, input, options);
    const [step, agent] = [tally.step, options?.as ?? role.name];
    tally.dispatches += 1;
    if (!outcome.ok) tally.errors.push(createErrorEntry(step, agent, outcome.failure));
    if (!outcome.ok) return outcome;
    const { retried = [], ...answer } = outcome.value;
    for (const { message } of retried) tally.retries.push({ step, agent, error: message });
    // The same answer without `retried`.
    return { ok: true, value: answer as Answer<never, never> & typeof outcome.value };
  };
}

function createRecordingVerbs(tally: RunTally, verbs: Verbs<unknown>): Pick<Verbs<unknown>, "write" | "gate" | "skip"> {
  return {
    async write(path, text, options) {
      tally.outputs.push({ step: tally.step, path });
      tally.texts.set(path, text);
      return verbs.write(path, text, options);
    },
    async gate(name, rules, about) {
      const decision = await verbs.gate(name, rules, about);
      tally.decisions.set(name, decision);
      if (!decision.passed) tally.missed.push(decision);
      return decision;
    },
    skip(title, reason) {
      tally.skipped.set(title, reason);
      verbs.skip(title, reason);
    },
  };
}

const isBelow = (path: string, folder: string, names: readonly string[]): boolean =>
  names.some((name) => path === `${folder}/${name}` || path.startsWith(`${folder}/${name}/`));

function describeLeftWork({ work }: RunTally, end: End) {
  return work === undefined || "commit" in getReport(end) ? {} : { work: { ...work, tree: work.tree.tree } };
}
