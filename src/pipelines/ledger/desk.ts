import type { Decision } from "../../core/decision.ts";
import type { End } from "../../core/end.ts";
import type { Failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import { once } from "../../core/retry.ts";
import type { Verbs } from "../../core/verbs.ts";
import { type Account, SELF_CHECK } from "./self-check.ts";

type ErrorEntry = { readonly step: string; readonly agent: string; readonly error: string; readonly retried: boolean };

/**
 * The verbs, and an account of what was done with them: steps with their outputs, failed dispatches, rounds.
 * Branches only add to it, in any order; it is read between them, sorted, so that every replay reads the same.
 */
export type Desk<Input = unknown> = Verbs<Input> & {
  /** Opens a step, and shows `status` how far the run is. */
  begin(title: string): Promise<void>;
  round(loop: keyof Account["rounds"], round: number): void;
  risk(overall: string): void;
  /** Ends the run as ERROR; not from inside a branch. */
  fail(reason: string): Promise<never>;
  /** The run's last look at itself; what it finds is recorded and changes nothing. */
  close(end: End): Promise<End>;
  /** What was delivered so far. */
  outputs(): readonly string[];
  failures(): readonly ErrorEntry[];
  dispatches(): number;
};

export function openDesk<Input>(verbs: Verbs<Input>): Desk<Input> {
  const book = openBook();
  const facts = (): Record<string, Json> => ({
    step: book.step,
    overall_risk: book.risk,
    completed_steps: completed(book),
    error_log: sorted(book.errors),
  });
  const attempt: Verbs<Input>["attempt"] = async (role, input, options) => {
    const outcome = await verbs.attempt(role, input, options);
    book.dispatches += 1;
    if (!outcome.ok) book.errors.push(entryOf(book.step, options?.as ?? role.name, outcome.failure));
    return outcome;
  };
  const close = async (end: End): Promise<End> => {
    await verbs.gate("self-check", SELF_CHECK, accountOf(book, end));
    await verbs.note(facts());
    return { ...end, report: { ...reportOf(end), ...facts() } };
  };
  const fail = async (reason: string): Promise<never> => verbs.end(await close({ status: "error", reason }));
  return {
    ...verbs,
    attempt,
    async agent(role, input, options) {
      const outcome = await attempt(role, input, options);
      return outcome.ok ? outcome.value : fail(`${options?.as ?? role.name} failed: ${outcome.failure.message}`);
    },
    async write(path, text, options) {
      book.outputs.push({ step: book.step, path });
      return verbs.write(path, text, options);
    },
    async gate(name, rules, about) {
      const decision = await verbs.gate(name, rules, about);
      book.decisions.set(name, decision);
      return decision;
    },
    skip(title, reason) {
      book.skipped.set(title, reason);
      verbs.skip(title, reason);
    },
    async begin(title) {
      verbs.phase(title);
      book.step = title;
      book.steps.add(title);
      await verbs.note(facts());
    },
    round: (loop, round) => {
      book.rounds[loop] = round;
    },
    risk: (overall) => {
      book.risk = overall;
    },
    fail,
    close,
    outputs: () => paths(book),
    failures: () => sorted(book.errors),
    dispatches: () => book.dispatches,
  };
}

type Book = {
  step: string;
  risk: string;
  dispatches: number;
  readonly steps: Set<string>;
  readonly skipped: Map<string, string>;
  readonly outputs: { readonly step: string; readonly path: string }[];
  readonly errors: ErrorEntry[];
  readonly decisions: Map<string, Decision>;
  readonly rounds: Record<keyof Account["rounds"], number>;
};

function openBook(): Book {
  return {
    step: "",
    risk: "",
    dispatches: 0,
    steps: new Set(),
    skipped: new Map(),
    outputs: [],
    errors: [],
    decisions: new Map(),
    rounds: { research: 0, design: 0, plan: 0, verification: 0, review: 0 },
  };
}

function entryOf(step: string, agent: string, failure: Failure): ErrorEntry {
  return { step, agent, error: failure.message, retried: once()([failure]).again };
}

const paths = (book: Book): string[] => [...new Set(book.outputs.map(({ path }) => path))].sort();

const sorted = (entries: readonly ErrorEntry[]): ErrorEntry[] =>
  entries.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

const placeOf = ({ step, agent, error }: ErrorEntry): string => [step, agent, error].join("\n");

function completed(book: Book): { step: string; outputs: string[] }[] {
  const before = [...book.steps].filter((step) => step !== book.step);
  return before.map((step) => ({
    step,
    outputs: [...new Set(book.outputs.filter((each) => each.step === step).map(({ path }) => path))].sort(),
  }));
}

function accountOf(book: Book, end: End): Account {
  return {
    steps: [...book.steps],
    skipped: Object.fromEntries(book.skipped),
    refused: [...book.decisions.values()].filter(({ passed }) => !passed).map(({ gate }) => gate),
    rounds: { ...book.rounds },
    outputs: paths(book),
    committed: "commit" in reportOf(end),
    status: end.status,
    dispatches: book.dispatches,
  };
}

function reportOf(end: End): Record<string, Json | undefined> {
  const { report } = end;
  // This pipeline's reports are objects.
  return typeof report === "object" && report !== null ? (report as Record<string, Json | undefined>) : {};
}
