import type { QuotaPolicy } from "../../core/budget/quota.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { canonical } from "../../core/text/json.ts";
import type { StepPlace } from "../replay/step.ts";
import { createNever, type Run } from "../run.ts";
import { awaitReply, createApprovalId } from "./ask.ts";
import { storeNote } from "./facts/answer-notes.ts";

/** An attempt that was refused because the usage window is used up. */
export type QuotaRefusal = {
  readonly finished: JournalRecord<"agent.finished">;
  /** The position of its agent, counted from the first choice. */
  readonly fallback: number;
};

/** How the dispatch continues. */
export type QuotaDecision = {
  readonly waitMs: number;
  readonly fallback: number;
  /** A person asked for it: they may have bought more usage. */
  readonly ignoreCooldown?: true;
};

/** Applies the run's policy to the last refusal; `refusals` are all of this dispatch, oldest first. */
export async function decideOnQuota(
  run: Run,
  place: StepPlace,
  refusals: readonly QuotaRefusal[],
): Promise<QuotaDecision> {
  const last = refusals.at(-1);
  if (!last) return { waitMs: 0, fallback: 0 };
  const policy = run.usageWindow;
  if (policy === "ask") return askOnQuota(run, place, refusals, last);
  if (policy === "switch") return switchAgent(run, refusals, last) ?? suspendForWindow(run, place, last);
  return (policy === "wait" ? waitForWindow(run, refusals, last) : undefined) ?? suspendForWindow(run, place, last);
}

/** A second refusal by the same agent with a time that has passed is not tried again at once. */
const LEAST_AGAIN_MS = 60_000;
/** Windows last a week at most; a later time must not block a run for months. */
const LONGEST_WAIT_MS = 8 * 86_400_000;

/** Undefined if the end of the window is unknown or too late, or the run's time limit comes first. */
function waitForWindow(
  run: Run,
  refusals: readonly QuotaRefusal[],
  { finished, fallback }: QuotaRefusal,
): QuotaDecision | undefined {
  const before = refusals.filter((each) => each.fallback === fallback).length - 1;
  return until(run, finished.failure?.wakeAt, { instead: fallback, leastMs: before > 0 ? LEAST_AGAIN_MS : 0 });
}

function until(
  run: Run,
  at: number | undefined,
  then: { instead: number; leastMs: number },
): QuotaDecision | undefined {
  if (at === undefined) return undefined;
  const waitMs = Math.max(at - run.world.now(), then.leastMs);
  const most = Math.min(run.timeLeft() ?? LONGEST_WAIT_MS, LONGEST_WAIT_MS);
  return most < waitMs ? undefined : { waitMs, fallback: then.instead };
}

/**
 * Switches to the next configured agent. After the last one it returns to the first, as soon as one of them is
 * available again.
 */
function switchAgent(
  run: Run,
  refusals: readonly QuotaRefusal[],
  { finished, fallback }: QuotaRefusal,
): QuotaDecision | undefined {
  if (finished.instead !== undefined) return { waitMs: 0, fallback: fallback + 1 };
  if (fallback === 0) return waitForWindow(run, refusals, { finished, fallback });
  const known = refusals.slice(-(fallback + 1)).flatMap((each) => each.finished.failure?.wakeAt ?? []);
  const first = known.length > 0 ? Math.min(...known) : undefined;
  return until(run, first, { instead: 0, leastMs: refusals.length > fallback + 1 ? LEAST_AGAIN_MS : 0 });
}

/** Suspends the run until a `resume`, possibly under another engine. */
async function suspendForWindow(
  run: Run,
  place: StepPlace,
  { finished, fallback }: QuotaRefusal,
): Promise<QuotaDecision> {
  const already = [...run.history.resumed, ...run.signals.resumes].some(({ seq }) => seq > finished.seq);
  if (!already) await run.signals.resumed({ kind: "budget", id: place.key, title: formatQuotaTitle(finished) });
  return run.over ? createNever() : { waitMs: 0, fallback, ignoreCooldown: true };
}

type QuotaChoice = Exclude<QuotaPolicy, "ask" | "stop"> | "again";

async function askOnQuota(
  run: Run,
  place: StepPlace,
  refusals: readonly QuotaRefusal[],
  last: QuotaRefusal,
): Promise<QuotaDecision> {
  const { finished, fallback } = last;
  const onward: Readonly<Record<QuotaChoice, QuotaDecision | undefined>> = {
    wait: waitForWindow(run, refusals, last),
    switch: finished.instead === undefined ? undefined : { waitMs: 0, fallback: fallback + 1 },
    again: { waitMs: 0, fallback, ignoreCooldown: true },
  };
  const choices = Object.entries(onward).flatMap(([choice, way]) => (way ? [choice] : []));
  const choice = await getQuotaAnswer(run, place, { finished, choices });
  // The choice is one of those offered, and each of them has a decision.
  return onward[choice as QuotaChoice] ?? { waitMs: 0, fallback };
}

type QuotaQuestion = { readonly finished: QuotaRefusal["finished"]; readonly choices: readonly string[] };

async function getQuotaAnswer(
  run: Run,
  { key, past }: StepPlace,
  { finished, choices }: QuotaQuestion,
): Promise<string> {
  const approval = createApprovalId(run, `${key}@${finished.attempt}`);
  const title = formatQuotaTitle(finished);
  const before = past?.requested?.approval === approval ? past.requested : undefined;
  const show = { said: finished.failure?.message ?? "", ...(finished.instead ? { instead: finished.instead } : {}) };
  // A question keeps its recorded choices, also if its waiting time is over by now.
  const offered = before?.choices ?? [...choices];
  const hash = before?.hash ?? run.world.hash(canonical({ title, show, choices: offered }));
  const auto = offered[0] === "again" ? "never" : (offered[0] ?? "never");
  const question = { approval, title, choices: offered, auto, hash };
  if (past?.decided?.approval === approval) return past.decided.choice;
  if (!before)
    run.recorder.record({ type: "approval.requested", key, ...question, choices: [...offered], leads: LEADS, show });
  const reply = await awaitReply(run, question);
  if (run.over) return createNever();
  const note = reply.note === undefined ? {} : { note: reply.note };
  const { choice, by } = reply;
  const role = reply.role === undefined ? {} : { role: reply.role };
  const decided = run.recorder.record({ type: "approval.decided", key, approval, choice, ...note, by, ...role, hash });
  storeNote(run, decided, title);
  reply.settled();
  return reply.choice;
}

const LEADS = {
  wait: "the run waits until the usage window of the agent opens",
  switch: "the configured fallback agent is asked",
  again: "the same agent is asked again now",
};

function formatQuotaTitle({ failure, role, instance }: QuotaRefusal["finished"]): string {
  const until = failure?.wakeAt === undefined ? "" : ` until ${new Date(failure.wakeAt).toISOString()}`;
  return `The usage window for ${instance || role} is used up${until}.`;
}
