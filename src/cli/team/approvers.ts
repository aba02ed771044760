import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host, PostedSignal } from "../../core/ports/host.ts";

/** By the role that the database knows, never by the name that somebody gives himself. */
export function isApprover(role: string | undefined, approvers: readonly string[] | undefined): boolean {
  return !approvers || (role !== undefined && approvers.includes(role));
}

/** Told before anything is posted, where it can be known. */
export function requireApprover(role: string, approvers: readonly string[] | undefined): void {
  if (isApprover(role, approvers)) return;
  throw new SignalboxError(
    "NOT_APPROVER",
    `The role ${role} of the database may not answer questions of this team's runs.`,
    `Ask one of those who may: ${approvers?.join(", ")} (\`team.approvers\` of the configuration).`,
  );
}

type Heeding = { readonly approvers: readonly string[] | undefined; dropped(line: string): void };

/**
 * A store in which answers of anybody else are for other content: the engine drops them as it drops all such, and the question
 * stays open for whoever may answer it.
 */
export function heedApprovers<H extends Host>(host: H, { approvers, dropped }: Heeding): H {
  if (!approvers) return host;
  const heeded = (posted: PostedSignal, run: string): PostedSignal => {
    const { letter, role } = posted;
    if (letter.kind !== "answer" || isApprover(role, approvers)) return posted;
    dropped(
      `the answer of ${letter.by}${role ? ` (${role})` : ""} to ${letter.approval} of ${run} is dropped: not an approver`,
    );
    return { ...posted, letter: { ...letter, hash: "" } };
  };
  const { inbox } = host;
  return {
    ...host,
    inbox: { ...inbox, unread: async (run) => (await inbox.unread(run)).map((each) => heeded(each, run)) },
  };
}
