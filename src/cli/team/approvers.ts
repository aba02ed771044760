import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host, PostedSignal } from "../../core/ports/host.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";

/** By the role that the database knows, never by the name that somebody gives himself. */
export function isApprover(role: string | undefined, approvers: readonly string[] | undefined): boolean {
  return !approvers || (role !== undefined && approvers.includes(role));
}

/** Told before anything is posted, where it can be known. */
export function requireApprover(role: string, approvers: readonly string[] | undefined): void {
  if (isApprover(role, approvers)) return;
  throw new SignalboxError(
    "NOT_APPROVER",
    `The role ${role} of the database may not answer questions of this team's runs, nor give them another configuration.`,
    `Ask one of those who may: ${approvers?.join(", ")} (\`team.approvers\` of the configuration).`,
  );
}

type Heeding = { readonly approvers: readonly string[] | undefined; dropped(line: string): void };

/** A store in which what anybody else decides is dropped: the engine records that, and the question stays open for whoever may. */
export function heedApprovers<H extends Host>(host: H, { approvers, dropped }: Heeding): H {
  if (!approvers) return host;
  const { inbox } = host;
  const heed = (posted: PostedSignal, run: string): PostedSignal => {
    const heeded = heededBy(approvers, posted);
    const { letter } = heeded;
    if (heeded !== posted && letter.kind === "dropped")
      dropped(`the ${oneLine(letter.of)} by ${oneLine(letter.by)} for ${run} is dropped: not an approver`);
    return heeded;
  };
  return {
    ...host,
    inbox: { ...inbox, unread: async (run) => (await inbox.unread(run)).map((each) => heed(each, run)) },
  };
}

/** What others than approvers decide is no decision, for whoever reads letters and for whoever comes after them. */
export function heededBy(approvers: readonly string[] | undefined, posted: PostedSignal): PostedSignal {
  const { letter, role } = posted;
  const of = decisionIn(letter);
  if (!approvers || of === undefined || isApprover(role, approvers)) return posted;
  const why = `only ${approvers.join(", ")} may (team.approvers)`;
  return { ...posted, letter: { kind: "dropped", of, by: letter.by, why } };
}

/** What only approvers may say: an answer, and another configuration, which replaces the checks that judge the work. */
function decisionIn(letter: PostedSignal["letter"]): string | undefined {
  if (letter.kind === "answer") return `answer to ${letter.approval}`;
  return letter.kind === "resume" && letter.config ? "new configuration" : undefined;
}
