import { createHash } from "node:crypto";
import type { Failure } from "../../core/failure.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { Mailbox, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
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
    can: { schema: false, resume: false, cost: false, permissions: false, cancel: true },
    async *dispatch(order, _processes, signal) {
      const id = idOf(order);
      await mailbox.post(postedFrom(order, id));
      yield { type: "turn.started" };
      const enough = wallMs === undefined ? [] : [AbortSignal.timeout(wallMs)];
      const reply = await mailbox.replied(id, AbortSignal.any([signal, ...enough]));
      // A reply stays where it is: an engine that dies now must find it again.
      if (!reply) await mailbox.withdraw(id);
      yield reply ? ended(reply) : { type: "turn.failed", failure: signal.aborted ? CANCELED : UNANSWERED };
    },
    async adopt(order) {
      const reply = await mailbox.reply(idOf(order));
      await mailbox.withdraw(idOf(order));
      return reply && ended(reply);
    },
  };
}

const CANCELED: Failure = { class: "canceled", code: "canceled", message: "the dispatch was withdrawn" };
const UNANSWERED: Failure = {
  class: "transient",
  code: "timeout",
  message: "nobody took the dispatch out of the mailbox and answered it in time",
};

const idOf = ({ effect }: DispatchOrder): string => createHash("sha256").update(effect).digest("hex").slice(0, 16);

function postedFrom(order: DispatchOrder, id: string): PostedDispatch {
  const { run, pipeline, phase, role, instance, task, round, attempt, cwd, prompt, model } = order;
  const named = model === undefined ? {} : { model };
  return { id, run, pipeline, phase, role, instance, task, round, attempt, cwd, prompt, ...named };
}

function ended({ message, error, usage = {} }: Reply): AgentEvent {
  const known = Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined));
  if (message !== undefined) return { type: "turn.finished", text: message, usage: known };
  const why = error ?? "the reply is empty";
  const failure: Failure = { class: "transient", code: "agent_failed", message: why };
  return { type: "turn.failed", failure: knownFailure("mailbox", why, Date.now()) ?? failure, usage: known };
}
