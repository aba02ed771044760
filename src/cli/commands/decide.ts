import { findRefusingChoice } from "../../core/authoring/refusal.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Call } from "../call.ts";
import { findApproval, type PendingApproval } from "../runs/questions/approvals.ts";
import { createUnknownChoiceError, postFirstAnswer } from "../runs/questions/post-answer.ts";
import { isOwned, type RunStore, withRunStore } from "../runs/run-store.ts";
import { getPersonName } from "../team/person.ts";

export type DecideFlags = {
  readonly choose?: string;
  readonly note?: string;
  readonly resume?: boolean;
  readonly detach?: boolean;
};

/** Approves with `--choose` or the question's first choice, which is the affirmative one by convention. */
export function approve(call: Call, id: string, flags: DecideFlags): Promise<number> {
  return decideQuestion(call, id, flags, ({ approval }) => flags.choose ?? approval.choices[0] ?? "");
}

/**
 * Rejects a question. With a note it takes the choice that sends the work back, if there is one; otherwise the choice
 * that stops.
 */
export function reject(call: Call, id: string, flags: DecideFlags): Promise<number> {
  return decideQuestion(call, id, flags, ({ approval, row }) => {
    if (approval.revises !== undefined && flags.note?.trim()) return approval.revises;
    const refusal = approval.pause ? undefined : findRefusingChoice(approval.choices);
    if (refusal !== undefined) return refusal;
    throw toNotRejectableError(approval, row.id);
  });
}

function toNotRejectableError(
  { approval, pause, choices, revises }: PendingApproval["approval"],
  run: string,
): SignalboxError {
  const end = `\`signalbox cancel ${run}\``;
  if (pause) {
    return new SignalboxError("USAGE", `The run ${run} is paused; there is nothing to reject.`, `End it with ${end}.`);
  }
  const back = revises === undefined ? "" : `Send it back with \`signalbox reject ${approval} --note "…"\`, or choose`;
  return new SignalboxError(
    "USAGE",
    `This question has no choice that stops the run: ${choices.join(", ")}.`,
    `${back || "Choose"} one with \`signalbox approve ${approval} --choose …\`, or end the run with ${end}.`,
  );
}

async function decideQuestion(
  call: Call,
  id: string,
  flags: DecideFlags,
  choose: (pending: PendingApproval) => string,
): Promise<number> {
  const { run, alive } = await withRunStore(call, (store) => postDecision(call, { store, id, flags, choose }));
  if (alive || !(flags.resume || flags.detach)) return 0;
  const { resumeRun } = await import("./resume.ts");
  return resumeRun(call, run, { agent: [], ...(flags.detach ? { detach: true } : {}) });
}

/** Stands for the user's own text in printed commands. */
const PLACEHOLDER = "…";

const toMissingNoteError = (choice: string): SignalboxError =>
  new SignalboxError(
    "USAGE",
    `The note for "${choice}" is still the placeholder "…".`,
    "Replace it with your own text.",
  );

type DecisionRequest = {
  readonly store: RunStore;
  readonly id: string;
  readonly flags: DecideFlags;
  readonly choose: (pending: PendingApproval) => string;
};

async function postDecision(
  call: Call,
  { store, id, flags, choose }: DecisionRequest,
): Promise<{ run: string; alive: boolean }> {
  const pending = await findApproval(store, id);
  const choice = choose(pending);
  const { approval, row } = pending;
  if (!approval.choices.includes(choice)) throw createUnknownChoiceError(choice, approval.choices);
  if (flags.note?.trim() === PLACEHOLDER) throw toMissingNoteError(choice);
  await postFirstAnswer(store, pending, { choice, ...(flags.note === undefined ? {} : { note: flags.note }) });
  // A team's workers wake a run when it receives a message.
  const alive = store.team !== undefined || isOwned(store, row);
  const next = alive ? CONTINUES : `signalbox resume ${row.id}`;
  if (call.json) call.emit({ v: 1, approval: approval.approval, run: row.id, choice, by: getPersonName(store), next });
  else {
    call.print(`${call.paint.green("✓")} ${approval.title} ${call.paint.bold(choice)} by ${getPersonName(store)}`);
    if (flags.note?.trim()) call.print(call.paint.dim(NOTE_STORED));
    for (const line of formatNextCommands(call, { run: row.id, alive, flags })) call.print(line);
  }
  return { run: row.id, alive };
}

const NOTE_STORED = "  your note is in the journal; every agent started before the run's next commit reads it";
const CONTINUES = "its engine continues automatically";

type PostedAnswer = { readonly run: string; readonly alive: boolean; readonly flags: DecideFlags };

function formatNextCommands({ paint }: Call, { run, alive, flags }: PostedAnswer): readonly string[] {
  if (alive) return [`  next: ${paint.cyan(CONTINUES)}`];
  if (flags.resume || flags.detach) return [];
  // No engine drives the run: the answer is stored and read when one does.
  return [
    paint.dim(`  ${run} is suspended: your answer is stored and read when it resumes`),
    `  next: ${paint.cyan(`signalbox resume ${run}`)}`,
    `        ${paint.cyan(`signalbox resume ${run} --detach`)}`,
    paint.dim("  (approve and reject resume the run at once with --resume)"),
  ];
}
