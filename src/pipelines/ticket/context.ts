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

/** Where a ticket goes on that its books already know. */
export type ResumePoint = {
  readonly planned?: { readonly plan: string; readonly tasksText: string | undefined; readonly tree?: Tree };
  readonly tasks?: Tasks;
  readonly accepted: readonly string[];
  /** The report of the iteration before, as it stands in its file, and the plan that it speaks of. */
  readonly report?: string;
  readonly before?: string;
};

/** What start-up found out, once and for all. */
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

/** The verbs, the ticket and its books. */
export type TicketContext = Verbs<Input> &
  TicketSetup & {
    readonly ticketFiles: TicketFiles;
    /** The work so far, whatever becomes of it: every end names it by its tree. */
    leave(tree: Tree): void;
    left(why: string): { readonly work?: { readonly tree: string; readonly accepted: boolean; readonly why: string } };
    /** Ends the run as an error that the books tell; not from inside a branch. */
    fail(reason: string): Promise<never>;
    /** The same where a person only has to tidy up: the next run goes on with what was planned. */
    halt(reason: string): Promise<never>;
    /** The answer of a dispatch: what left its row is logged, and without an answer the run ends. */
    heard<T extends object>(role: string, outcome: Outcome<T>): Promise<T>;
    /** The same, but a failure is only told: what it is a failure of can be done without. */
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
  const lines = violationsIn(role, outcome);
  if (lines.length > 0) await ticketFiles.save({}, ...lines);
}

/**
 * Every attempt that wrote where its role may not, also when a later one did better.
 * @rule T-26 (policy) A write outside a role's row is not taken, fails the attempt and stands in the log as a critical
 *   violation.
 */
export function violationsIn(role: string, outcome: Outcome<object>): readonly LogEntry[] {
  return failuresOf(outcome)
    .filter(({ code }) => code === "write_outside")
    .map(({ message }) => violation(role, message));
}

function failuresOf(outcome: Outcome<object>): readonly Failure[] {
  if (!outcome.ok) return outcome.failures ?? [outcome.failure];
  // Every answer of a dispatch may carry what its earlier attempts failed with.
  return (outcome.value as { retried?: readonly Failure[] }).retried ?? [];
}

export const violation = (role: string, message: string, task?: string): LogEntry => ({
  event: "role_violation",
  level: "CRITICAL_VIOLATION",
  message,
  violation: role,
  ...(task === undefined ? {} : { task }),
});
