import { SignalboxError } from "../../core/errors.ts";
import { alreadyAnswered } from "../already-answered.ts";
import { findApproval, type Pending } from "../approvals.ts";
import { type Book, isOwned, withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { refusalAmong } from "../refusal.ts";
import { userName } from "../user-name.ts";

export type DecideFlags = { readonly choose?: string; readonly note?: string };

/** By convention a question's first choice is the affirmative one. */
export function approve(call: Call, id: string, flags: DecideFlags): Promise<number> {
  return decide(call, id, flags, ({ approval }) => flags.choose ?? approval.choices[0] ?? "");
}

export function reject(call: Call, id: string, flags: DecideFlags): Promise<number> {
  return decide(call, id, flags, ({ approval, row }) => {
    const refusal = approval.pause ? undefined : refusalAmong(approval.choices);
    if (refusal !== undefined) return refusal;
    const end = `\`signalbox cancel ${row.id}\``;
    const [message, hint] = approval.pause
      ? [`The run ${row.id} is paused; there is nothing to reject.`, `End it with ${end}.`]
      : [
          `None of the choices of this question stops anything: ${approval.choices.join(", ")}.`,
          `Choose one with \`signalbox approve ${approval.approval} --choose …\`, or end the run with ${end}.`,
        ];
    throw new SignalboxError("USAGE", message, hint);
  });
}

async function decide(
  call: Call,
  id: string,
  flags: DecideFlags,
  choose: (pending: Pending) => string,
): Promise<number> {
  return withBook(call, async (book) => {
    const pending = await findApproval(book, id);
    const choice = choose(pending);
    const { approval, row } = pending;
    if (!approval.choices.includes(choice)) throw unknownChoice(choice, approval.choices);
    await post(book, pending, { choice, ...(flags.note === undefined ? {} : { note: flags.note }) });
    const alive = isOwned(row, book.world.now());
    const next = alive ? "its engine goes on by itself" : `signalbox resume ${row.id}`;
    if (call.json) call.emit({ v: 1, approval: approval.approval, run: row.id, choice, by: userName(), next });
    else {
      call.print(`${call.paint.green("✓")} ${approval.title} ${call.paint.bold(choice)} by ${userName()}`);
      call.print(`  next: ${call.paint.cyan(next)}`);
    }
    return 0;
  });
}

/** Throws, with who was quicker, when the question has its answer already. */
export async function post(
  { host, world }: Book,
  { approval, row }: Pending,
  reply: { choice: string; note?: string; by?: string },
): Promise<void> {
  const { choice, by = userName(), ...note } = reply;
  const named = { approval: approval.approval, by, ...note };
  const earlier = await host.inbox.post(
    row.id,
    approval.pause ? { kind: "resume", ...named } : { kind: "answer", hash: approval.hash, choice, ...named },
  );
  if (earlier) throw alreadyAnswered({ approval: approval.approval, earlier, now: world.now() });
}

function unknownChoice(choice: string, choices: readonly string[]): SignalboxError {
  return new SignalboxError(
    "CHOICE_UNKNOWN",
    `"${choice}" is not a choice of this question.`,
    `Choose one of: ${choices.join(", ")}.`,
  );
}
