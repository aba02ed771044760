import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { Mailbox, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
import { listDispatchVariables } from "../environment.ts";
import { knownFailure } from "../reported-failure.ts";

export type MailboxOptions = {
  readonly mailbox: Mailbox;
  /** How long a dispatch may wait for its reply; unlimited by default. */
  readonly wallMs?: number;
};

/**
 * Driver for external agents: it posts the dispatch to the mailbox, and an agent that takes it returns the final
 * message.
 */
export function createMailboxDriver({ mailbox, wallMs }: MailboxOptions): Driver {
  return {
    name: "mailbox",
    can: { schema: false, resume: false, again: true, cost: false, permissions: false, cancel: true },
    async *dispatch(order, _processes, signal) {
      const id = getDispatchId(order);
      const posted = toPostedDispatch(order, id);
      await (order.repair ? mailbox.reopen(posted, order.repair.problem) : mailbox.post(posted));
      yield { type: "turn.started" };
      const enough = wallMs === undefined ? [] : [AbortSignal.timeout(wallMs)];
      const reply = await mailbox.replied(id, AbortSignal.any([signal, ...enough]));
      // The reply stays in the mailbox: if the engine dies now, it must find it again. A dispatch also stays if only
      // the engine is stopped, because an agent may be working on it; the end of the run withdraws it.
      if (!reply && !signal.aborted) await mailbox.withdraw(id);
      if (reply) await saveReply(order, reply.message ?? reply.error ?? "");
      yield reply
        ? toFinalEvent(reply, await countRefused(mailbox, id))
        : { type: "turn.failed", failure: signal.aborted ? CANCELED : UNANSWERED };
    },
    async adopt(order) {
      const reply = await mailbox.reply(getDispatchId(order));
      if (reply) await saveReply(order, reply.message ?? reply.error ?? "");
      return reply && toFinalEvent(reply, await countRefused(mailbox, getDispatchId(order)));
    },
    outlives: async (order) => mailbox.holds(getDispatchId(order)),
    settle: async (order, problem) => mailbox.settle(getDispatchId(order), problem),
  };
}

/** Stores the reply where other agents' output is, for later reading. A failure to do so does not fail the run. */
async function saveReply({ spool }: DispatchOrder, text: string): Promise<void> {
  try {
    await mkdir(spool, { recursive: true, mode: 0o700 });
    await writeFile(join(spool, "stdout"), `${text}\n`, { mode: 0o600 });
  } catch {
    // The disk is full or the folder is gone; the reply itself is in the mailbox.
  }
}

const CANCELED: Failure = { class: "canceled", code: "canceled", message: "the engine no longer waits for the reply" };
const UNANSWERED: Failure = {
  class: "transient",
  code: "timeout",
  message: "no agent took the dispatch from the mailbox and answered it in time",
};

const getDispatchId = ({ effect }: DispatchOrder): string =>
  createHash("sha256").update(effect).digest("hex").slice(0, 16);

function createUnreadableFailure(problem: string): Failure {
  const message = `the reply in the mailbox (reply.json) is invalid: ${problem}`;
  return { class: "contract", code: "reply_unreadable", message };
}

function toPostedDispatch(order: DispatchOrder, id: string): PostedDispatch {
  const { run, pipeline, phase, role, instance, task, round, attempt, cwd, prompt, model } = order;
  const named = model === undefined ? {} : { model };
  const environment = listDispatchVariables(order);
  return { id, run, pipeline, phase, role, instance, task, round, attempt, cwd, prompt, environment, ...named };
}

/** Includes replies that an earlier engine refused. */
async function countRefused(mailbox: Mailbox, id: string): Promise<number> {
  const verdict = await mailbox.verdict(id);
  return verdict?.open ? verdict.answer : 0;
}

function toFinalEvent({ message, error, unreadable, usage = {} }: Reply, refused: number): AgentEvent {
  if (unreadable !== undefined) return { type: "turn.failed", failure: createUnreadableFailure(unreadable) };
  const known = Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined));
  if (message !== undefined) {
    return { type: "turn.finished", text: message, usage: known, ...(refused > 0 ? { refused } : {}) };
  }
  const why = error ?? "the reply is empty";
  const failure: Failure = { class: "transient", code: "agent_failed", message: why };
  return { type: "turn.failed", failure: knownFailure("mailbox", why, Date.now()) ?? failure, usage: known };
}
