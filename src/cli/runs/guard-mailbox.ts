import { existsSync } from "node:fs";
import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Mailbox, MailboxEntry } from "../../core/ports/mailbox.ts";
import type { Call } from "../call.ts";
import { refuseEnded } from "./ended-run.ts";
import { isOwned, withRunStore } from "./run-store.ts";

type MailboxGuardInputs = { readonly call: Call; readonly allow: () => Promise<void> };

/**
 * Wraps the mailbox for external agents. A dispatch can be taken by anybody outside a run, never by one of its steps. A
 * dispatch that no run waits for is neither handed out nor accepted.
 */
export function guardMailbox(mailbox: Mailbox, { call, allow }: MailboxGuardInputs): Mailbox {
  const handed = new Map<string, MailboxEntry>();
  const findEntry = async (id: string) => (await mailbox.list()).find((row) => row.id === id) ?? handed.get(id);
  return {
    ...mailbox,
    async take(id, by) {
      await allow();
      const row = await findEntry(id);
      if (!row || !(await isAwaited(call, mailbox, row))) return undefined;
      handed.set(id, row);
      return mailbox.take(id, by);
    },
    async answer(id, reply) {
      await allow();
      const row = await findEntry(id);
      if (row) await refuseLate(call, row);
      // Also remembers a dispatch taken by another process, such as an editor before its restart. Once answered, it is
      // no longer listed.
      if (row) handed.set(id, row);
      return mailbox.answer(id, reply);
    },
    // The caller does not wait if there is no engine to judge the answer.
    async judged(id, after, waitMs) {
      const row = await findEntry(id);
      const owned = row !== undefined && (await isRunning(call, row));
      return mailbox.judged(id, after, owned ? waitMs : 0);
    },
  };
}

async function isRunning(call: Call, { run }: MailboxEntry): Promise<boolean> {
  return withRunStore(call, async (store) => {
    const row = await store.host.runs.get(run);
    return row !== undefined && isOwned(store, row);
  });
}

async function isAwaited(call: Call, mailbox: Mailbox, { run, cwd }: MailboxEntry): Promise<boolean> {
  if (!existsSync(cwd)) return false;
  const row = await withRunStore(call, ({ host }) => host.runs.get(run));
  const alive = row !== undefined && !FINISHED.some((status) => status === row.status);
  if (!alive) await mailbox.withdrawAll(run);
  return alive;
}

/** Rejects a late answer with the reason. */
async function refuseLate(call: Call, { run, cwd, id }: MailboxEntry): Promise<void> {
  await withRunStore(call, async (store) => {
    const row = await store.host.runs.get(run);
    if (row) await refuseEnded(store, row);
  });
  if (existsSync(cwd)) return;
  throw new SignalboxError(
    "RUN_ENDED",
    `The folder of dispatch ${id} no longer exists, and its work is lost: run ${run} no longer waits for it.`,
    "Get the next one with dispatch_next.",
  );
}
