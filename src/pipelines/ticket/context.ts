import type { Head } from "../../core/authoring/observations.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Failure, Outcome } from "../../core/failure/failure.ts";
import type { RequestKind } from "../work-kind.ts";
import type { Prompt, Tasks } from "./contracts.ts";
import type { LogEntry } from "./files/log.ts";
import type { TicketFiles } from "./files/ticket-files.ts";
import type { Commands } from "./preparing/commands.ts";
import type { Docs } from "./preparing/docs.ts";
import type { Impact } from "./preparing/impact.ts";

export type Input = {
  readonly request: string;
  readonly ticket?: string | undefined;
  readonly kind?: RequestKind | undefined;
  readonly documents?: "keep" | "write" | undefined;
};

/** State from which a ticket with existing files continues. */
export type ResumePoint = {
  readonly planned?: { readonly plan: string; readonly tasksText: string | undefined; readonly tree?: Tree };
  readonly tasks?: Tasks;
  readonly accepted: readonly string[];
  /** Report of the previous iteration, verbatim, and the plan it refers to. */
  readonly report?: string;
  readonly before?: string;
};

/** Results of the startup analysis. */
export type TicketSetup = {
  readonly jira: string;
  readonly prompt: Prompt;
  readonly head: Head;
  /** All paths of the tree that the run started from. */
  readonly files: readonly string[];
  readonly docs: Docs;
  readonly impact: Impact;
  readonly commands: Commands;
  readonly resumed?: ResumePoint;
};

/** The verbs, the ticket and its files. */
export type TicketContext = Verbs<Input> &
  TicketSetup & {
    readonly ticketFiles: TicketFiles;
    /** Records the work tree; every end of the run names it. */
    leave(tree: Tree): void;
    left(why: string): { readonly work?: { readonly tree: string; readonly accepted: boolean; readonly why: string } };
    /** Ends the run as an error that is logged. Not allowed inside a parallel branch. */
    fail(reason: string): Promise<never>;
    /** Like `fail`, for problems that a person fixes in the checkout; the next run continues with the same plan. */
    halt(reason: string): Promise<never>;
    /** Returns the answer of a dispatch, logs its violations, and ends the run if there is none. */
    heard<T extends object>(role: string, outcome: Outcome<T>): Promise<T>;
    /** Like `heard`, but a failure is only logged, because the run does not need the answer. */
    warned<T extends object>(role: string, outcome: Outcome<T>): Promise<T | undefined>;
  };

export function openContext(verbs: Verbs<Input>, started: TicketSetup, ticketFiles: TicketFiles): TicketContext {
  let last: Tree = started.head;
  const left = (why: string) =>
    last.tree === started.head.tree ? {} : { work: { tree: last.tree, accepted: false, why } };
  const stop = async (reason: string, status: "ERROR" | "PENDING"): Promise<never> => {
    await ticketFiles.save({ status }, { event: "stopped", level: "ERROR", message: reason });
    return verbs.end({
      status: "error",
      reason,
      report: { ticket: started.jira, branch: ticketFiles.progress().branch, ...left(reason) },
    });
  };
  const fail = (reason: string) => stop(reason, "ERROR");
  return {
    ...verbs,
    ...started,
    ticketFiles,
    left,
    leave(tree) {
      last = tree;
    },
    fail,
    halt: (reason) => stop(reason, "PENDING"),
    async heard(role, outcome) {
      await logViolations(ticketFiles, role, outcome);
      return outcome.ok ? outcome.value : fail(`${role} failed: ${outcome.failure.message}`);
    },
    async warned(role, outcome) {
      await logViolations(ticketFiles, role, outcome);
      if (outcome.ok) return outcome.value;
      const message = `${role} failed: ${outcome.failure.message}`;
      await ticketFiles.save({}, { event: "docs.refresh", level: "ERROR", message });
      return undefined;
    },
  };
}

async function logViolations(ticketFiles: TicketFiles, role: string, outcome: Outcome<object>): Promise<void> {
  const lines = listViolations(role, outcome);
  if (lines.length > 0) await ticketFiles.save({}, ...lines);
}

/**
 * Lists every attempt that wrote outside its role's files, including attempts that were retried.
 * @rule T-26 (policy) A write outside the role's own files (T-53) fails the attempt, is discarded and is logged as
 *   CRITICAL_VIOLATION.
 */
export function listViolations(role: string, outcome: Outcome<object>): readonly LogEntry[] {
  return listFailures(outcome)
    .filter(({ code }) => code === "write_outside")
    .map(({ message }) => createViolation(role, message));
}

function listFailures(outcome: Outcome<object>): readonly Failure[] {
  if (!outcome.ok) return outcome.failures ?? [outcome.failure];
  // An answer may carry the failures of its earlier attempts.
  return (outcome.value as { retried?: readonly Failure[] }).retried ?? [];
}

export const createViolation = (role: string, message: string, task?: string): LogEntry => ({
  event: "role_violation",
  level: "CRITICAL_VIOLATION",
  message,
  violation: role,
  ...(task === undefined ? {} : { task }),
});
