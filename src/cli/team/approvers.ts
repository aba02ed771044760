import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host, PostedSignal } from "../../core/ports/host.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";

/** Decides by the database role, never by the name in the message, which its sender chooses. */
export function isApprover(role: string | undefined, approvers: readonly string[] | undefined): boolean {
  return !approvers || (role !== undefined && approvers.includes(role));
}

/** Rejects a non-approver before anything is posted, if the role is known. */
export function requireApprover(role: string, approvers: readonly string[] | undefined): void {
  if (isApprover(role, approvers)) return;
  throw new SignalboxError(
    "NOT_APPROVER",
    `Database role ${role} may not answer questions of this team's runs or change their configuration.`,
    `Ask an approver: ${approvers?.join(", ")} (\`team.approvers\` in the configuration).`,
  );
}

type ApproverOptions = { readonly approvers: readonly string[] | undefined; dropped(line: string): void };

/**
 * Wraps a host so that decisions by non-approvers are dropped. The engine records the drop, and the question stays open
 * for an approver.
 */
export function enforceApprovers<H extends Host>(host: H, { approvers, dropped }: ApproverOptions): H {
  if (!approvers) return host;
  const { inbox } = host;
  const dropAndReport = (posted: PostedSignal, run: string): PostedSignal => {
    const heeded = dropUnapproved(approvers, posted);
    const { letter } = heeded;
    if (heeded !== posted && letter.kind === "dropped")
      dropped(`dropped the ${toOneLine(letter.of)} by ${toOneLine(letter.by)} for ${run}: not an approver`);
    return heeded;
  };
  return {
    ...host,
    inbox: { ...inbox, unread: async (run) => (await inbox.unread(run)).map((each) => dropAndReport(each, run)) },
  };
}

/** Replaces a decision by a non-approver with a `dropped` message. */
export function dropUnapproved(approvers: readonly string[] | undefined, posted: PostedSignal): PostedSignal {
  const { letter, role } = posted;
  const of = describeDecision(letter);
  if (!approvers || of === undefined || isApprover(role, approvers)) return posted;
  const why = `only ${approvers.join(", ")} may (team.approvers)`;
  return { ...posted, letter: { kind: "dropped", of, by: letter.by, why } };
}

/**
 * Describes a decision reserved for approvers: an answer, or a new configuration, because that replaces the checks that
 * judge the work.
 */
function describeDecision(letter: PostedSignal["letter"]): string | undefined {
  if (letter.kind === "answer") return `answer to ${letter.approval}`;
  return letter.kind === "resume" && letter.config ? "new configuration" : undefined;
}
