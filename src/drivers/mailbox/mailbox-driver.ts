import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { Mailbox, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
import { dispatchOf } from "../environment.ts";
import { knownFailure } from "../said-failure.ts";

export type MailboxOptions = {
  readonly mailbox: Mailbox;
  /** How long a dispatch may wait for its reply; without it for as long as the run does. */
  readonly wallMs?: number;
};

/** The dispatch is a row: whoever fetches it over the mailbox does the work and gives the final message. */
export function mailboxDriver({ mailbox, wallMs }: MailboxOptions): Driver {
  return {
    name: "mailbox",
    can: { schema: false, resume: false, again: true, cost: false, permissions: false, cancel: true },
    async *dispatch(order, _processes, signal) {
      const id = idOf(order);
      const posted = postedFrom(order, id);
      await (order.repair ? mailbox.reopen(posted, order.repair.problem) : mailbox.post(posted));
      yield { type: "turn.started" };
      const enough = wallMs === undefined ? [] : [AbortSignal.timeout(wallMs)];
      const reply = await mailbox.replied(id, AbortSignal.any([signal, ...enough]));
      // A reply stays where it is: an engine that dies now must find it again. So does what somebody may be at work on
      // when only the engine is stopped: the end of the run withdraws it.
      if (!reply && !signal.aborted) await mailbox.withdraw(id);
      if (reply) await keepReply(order, reply.message ?? reply.error ?? "");
      yield reply
        ? ended(reply, await refusedBefore(mailbox, id))
        : { type: "turn.failed", failure: signal.aborted ? CANCELED : UNANSWERED };
    },
    async adopt(order) {
      const reply = await mailbox.reply(idOf(order));
      if (reply) await keepReply(order, reply.message ?? reply.error ?? "");
      return reply && ended(reply, await refusedBefore(mailbox, idOf(order)));
    },
    outlives: async (order) => mailbox.holds(idOf(order)),
    settle: async (order, problem) => mailbox.settle(idOf(order), problem),
  };
}

/** For whoever reads it later, where other agents' words lie; a run does not fail for want of it. */
async function keepReply({ spool }: DispatchOrder, text: string): Promise<void> {
  try {
    await mkdir(spool, { recursive: true, mode: 0o700 });
    await writeFile(join(spool, "stdout"), `${text}\n`, { mode: 0o600 });
  } catch {
    // The disk is full, or the folder gone: the reply itself is in the mailbox.
  }
}

const CANCELED: Failure = { class: "canceled", code: "canceled", message: "nobody waits for the reply any more" };
const UNANSWERED: Failure = {
  class: "transient",
  code: "timeout",
  message: "nobody took the dispatch out of the mailbox and answered it in time",
};

const idOf = ({ effect }: DispatchOrder): string => createHash("sha256").update(effect).digest("hex").slice(0, 16);

function unusable(problem: string): Failure {
  const message = `the reply in the mailbox (reply.json) cannot be read: ${problem}`;
  return { class: "contract", code: "reply_unreadable", message };
}

function postedFrom(order: DispatchOrder, id: string): PostedDispatch {
  const { run, pipeline, phase, role, instance, task, round, attempt, cwd, prompt, model } = order;
  const named = model === undefined ? {} : { model };
  const environment = dispatchOf(order);
  return { id, run, pipeline, phase, role, instance, task, round, attempt, cwd, prompt, environment, ...named };
}

/** Also those that an engine before this one has sent back. */
async function refusedBefore(mailbox: Mailbox, id: string): Promise<number> {
  const verdict = await mailbox.verdict(id);
  return verdict?.open ? verdict.answer : 0;
}

function ended({ message, error, unreadable, usage = {} }: Reply, refused: number): AgentEvent {
  if (unreadable !== undefined) return { type: "turn.failed", failure: unusable(unreadable) };
  const known = Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined));
  if (message !== undefined) {
    return { type: "turn.finished", text: message, usage: known, ...(refused > 0 ? { refused } : {}) };
  }
  const why = error ?? "the reply is empty";
  const failure: Failure = { class: "transient", code: "agent_failed", message: why };
  return { type: "turn.failed", failure: knownFailure("mailbox", why, Date.now()) ?? failure, usage: known };
}
