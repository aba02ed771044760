import { isMissingNote } from "../../../core/authoring/missing-note.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { EarlierAnswer } from "../../../core/ports/host.ts";
import { requireApprover } from "../../team/approvers.ts";
import { getPersonName } from "../../team/person.ts";
import { refuseOutdatedIfReachable } from "../anchors/outdated-journal.ts";
import type { RunStore } from "../run-store.ts";
import { openRunWorkspace } from "../run-workspace.ts";
import { createAlreadyAnsweredError } from "./already-answered.ts";
import type { PendingApproval } from "./approvals.ts";

type AnswerDraft = { readonly choice: string; readonly note?: string; readonly by?: string };

/** Posts an answer. Throws if a required note is missing, or if the question is already answered. */
export async function postFirstAnswer(store: RunStore, pending: PendingApproval, reply: AnswerDraft): Promise<void> {
  const earlier = await postAnswer(store, pending, reply);
  const { approval } = pending.approval;
  if (earlier) throw createAlreadyAnsweredError({ approval, earlier, now: store.world.now() });
}

/** Posts an answer to the inbox; every surface uses this function. Returns the earlier answer if there is one. */
export async function postAnswer(
  store: RunStore,
  { approval, row }: PendingApproval,
  reply: AnswerDraft,
): Promise<EarlierAnswer | undefined> {
  const { host, team } = store;
  if (isMissingNote(approval, reply)) throw createMissingNoteError(approval.approval, reply.choice);
  await refuseOutdatedIfReachable({ host, workspace: await openRunWorkspace(store) }, row.id);
  const { choice, by = getPersonName(store), ...note } = reply;
  if (team) requireApprover(team.store.role, team.approvers);
  const named = { approval: approval.approval, by, ...note };
  return host.inbox.post(
    row.id,
    approval.pause ? { kind: "resume", ...named } : { kind: "answer", hash: approval.hash, choice, ...named },
  );
}

function createMissingNoteError(approval: string, choice: string): SignalboxError {
  return new SignalboxError(
    "USAGE",
    `"${choice}" requires a note.`,
    `Add one: \`signalbox approve ${approval} --choose ${choice} --note "…"\`.`,
  );
}

export function createUnknownChoiceError(choice: string, choices: readonly string[]): SignalboxError {
  return new SignalboxError(
    "CHOICE_UNKNOWN",
    `"${choice}" is not a choice of this question.`,
    `Choose one of: ${choices.join(", ")}.`,
  );
}
