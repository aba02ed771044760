import type { End } from "../../core/authoring/end.ts";
import type { Answer, Verbs } from "../../core/authoring/verbs.ts";
import { some } from "../some.ts";
import { type Account, SELF_CHECK } from "./building/self-check.ts";
import type { Remark } from "./handover/inputs.ts";
import {
  accountOf,
  type ErrorEntry,
  entryOf,
  factsOf,
  openTally,
  type RunTally,
  reportOf,
  sorted,
  troublesOf,
  type WorkDone,
} from "./tally.ts";

/** The verbs, and an account of what was done with them: steps with their outputs, failed dispatches, rounds. */
export type LedgerContext<Input = unknown> = Verbs<Input> & {
  /** Opens a step, and shows `status` how far the run is. */
  begin(title: string): Promise<void>;
  round(loop: keyof Account["rounds"], round: number): void;
  risk(overall: string): void;
  /** What a person said on the way; whoever is dispatched from now on hears of it. */
  remark(remark: Remark): void;
  heard(): { readonly remarks?: readonly Remark[] };
  /** Where the work lies, so that the run's end can name it whatever becomes of it. */
  leave(work: WorkDone): void;
  /** What was last written to a document of this run. */
  written(path: string): string | undefined;
  /** The documents of this run below these names, for whoever has to read more than the input says. */
  toRead(folder: string, ...names: readonly string[]): { readonly documents?: readonly string[] };
  /** Ends the run as ERROR; not from inside a branch. */
  fail(reason: string): Promise<never>;
  /** The run's last look at itself; what it finds is recorded and changes nothing. */
  close(end: End): Promise<End>;
  failures(): readonly ErrorEntry[];
  /** What went wrong so far: failed dispatches, answers that were asked for again, gates that were missed. */
  troubles(): ReturnType<typeof troublesOf>;
};

/**
 * @rule L-29 (code) A run is done or ends in error; it never hands back a revision.
 * @rule L-45 (code) Every failed dispatch is in the error log, which status shows beside step, risk and outputs.
 */
export function openContext<Input>(verbs: Verbs<Input>): LedgerContext<Input> {
  const tally = openTally();
  const attempt = attemptIn(tally, verbs);
  const close = async (end: End): Promise<End> => {
    await verbs.gate("self-check", SELF_CHECK, accountOf(tally, end));
    await verbs.note(factsOf(tally));
    return { ...end, report: { ...reportOf(end), ...leftWork(tally, end), ...factsOf(tally) } };
  };
  const fail = async (reason: string): Promise<never> => verbs.end(await close({ status: "error", reason }));
  return {
    ...verbs,
    attempt,
    async agent(role, input, options) {
      const outcome = await attempt(role, input, options);
      return outcome.ok ? outcome.value : fail(`${options?.as ?? role.name} failed: ${outcome.failure.message}`);
    },
    ...recordingIn(tally, verbs),
    async begin(title) {
      verbs.phase(title);
      tally.step = title;
      tally.steps.add(title);
      await verbs.note(factsOf(tally));
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
      some({ documents: [...tally.texts.keys()].filter((path) => isBelow(path, folder, names)).sort() }),
    fail,
    close,
    failures: () => sorted(tally.errors),
    troubles: () => troublesOf(tally),
  };
}

/** Dispatches, counted; an answer travels on without what was refused before it. */
function attemptIn<Input>(tally: RunTally, verbs: Verbs<Input>): Verbs<Input>["attempt"] {
  return async (role, input, options) => {
    const outcome = await verbs.attempt(role, input, options);
    const [step, agent] = [tally.step, options?.as ?? role.name];
    tally.dispatches += 1;
    if (!outcome.ok) tally.errors.push(entryOf(step, agent, outcome.failure));
    if (!outcome.ok) return outcome;
    const { retried = [], ...answer } = outcome.value;
    for (const { message } of retried) tally.retries.push({ step, agent, error: message });
    // The same answer, but for what only the account needs.
    return { ok: true, value: answer as Answer<never, never> & typeof outcome.value };
  };
}

function recordingIn(tally: RunTally, verbs: Verbs<unknown>): Pick<Verbs<unknown>, "write" | "gate" | "skip"> {
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

function leftWork({ work }: RunTally, end: End) {
  return work === undefined || "commit" in reportOf(end) ? {} : { work: { ...work, tree: work.tree.tree } };
}
