import type { Failure, Outcome } from "../../core/failure.ts";
import type { Head } from "../../core/sight.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { Book } from "./book.ts";
import type { Commands } from "./commands.ts";
import type { Prompt, Tasks, WorkType } from "./contracts.ts";
import type { Docs } from "./docs.ts";
import type { Impact } from "./impact.ts";
import type { Said } from "./log.ts";

export type Input = {
  readonly request: string;
  readonly ticket?: string | undefined;
  readonly kind?: WorkType | undefined;
};

/** Where a ticket goes on that its books already know. */
export type Resumed = {
  readonly planned?: { readonly plan: string; readonly tasksText: string | undefined; readonly tree?: Tree };
  readonly tasks?: Tasks;
  readonly accepted: readonly string[];
  /** The report of the iteration before, as it stands in its file. */
  readonly report?: string;
};

/** What start-up found out, once and for all. */
export type Started = {
  readonly jira: string;
  readonly prompt: Prompt;
  readonly head: Head;
  /** All paths of the tree that the run started from. */
  readonly files: readonly string[];
  readonly docs: Docs;
  readonly impact: Impact;
  readonly commands: Commands;
  readonly resumed?: Resumed;
};

/** The verbs, the ticket and its books. */
export type Desk = Verbs<Input> &
  Started & {
    readonly book: Book;
    /** Ends the run as an error that the books tell; not from inside a branch. */
    fail(reason: string): Promise<never>;
    /** The same where a person only has to tidy up: the next run goes on with what was planned. */
    halt(reason: string): Promise<never>;
    /** The answer of a dispatch: what left its row is logged, and without an answer the run ends. */
    heard<T extends object>(role: string, outcome: Outcome<T>): Promise<T>;
    /** The same, but a failure is only told: what it is a failure of can be done without. */
    warned<T extends object>(role: string, outcome: Outcome<T>): Promise<T | undefined>;
  };

export function openDesk(verbs: Verbs<Input>, started: Started, book: Book): Desk {
  const stop = async (reason: string, status: "ERROR" | "PENDING"): Promise<never> => {
    await book.save({ status }, { event: "stopped", level: "ERROR", message: reason });
    return verbs.end({ status: "error", reason, report: { ticket: started.jira, branch: book.progress().branch } });
  };
  const fail = (reason: string) => stop(reason, "ERROR");
  return {
    ...verbs,
    ...started,
    book,
    fail,
    halt: (reason) => stop(reason, "PENDING"),
    async heard(role, outcome) {
      await logViolations(book, role, outcome);
      return outcome.ok ? outcome.value : fail(`${role} failed: ${outcome.failure.message}`);
    },
    async warned(role, outcome) {
      await logViolations(book, role, outcome);
      if (outcome.ok) return outcome.value;
      const message = `${role} failed: ${outcome.failure.message}`;
      await book.save({}, { event: "docs.refresh", level: "ERROR", message });
      return undefined;
    },
  };
}

async function logViolations(book: Book, role: string, outcome: Outcome<object>): Promise<void> {
  const lines = violationsIn(role, outcome);
  if (lines.length > 0) await book.save({}, ...lines);
}

/** Every attempt that wrote where its role may not, also when a later one did better. */
export function violationsIn(role: string, outcome: Outcome<object>): readonly Said[] {
  return failuresOf(outcome)
    .filter(({ code }) => code === "write_outside")
    .map(({ message }) => violation(role, message));
}

function failuresOf(outcome: Outcome<object>): readonly Failure[] {
  if (!outcome.ok) return outcome.failures ?? [outcome.failure];
  // Every answer of a dispatch may carry what its earlier attempts failed with.
  return (outcome.value as { retried?: readonly Failure[] }).retried ?? [];
}

export const violation = (role: string, message: string, task?: string): Said => ({
  event: "role_violation",
  level: "CRITICAL_VIOLATION",
  message,
  violation: role,
  ...(task === undefined ? {} : { task }),
});
