import { REVISIONS } from "./clusters/design.ts";
import { REPLANS } from "./clusters/patterns.ts";
import { MOST_ROUNDS } from "./clusters/review.ts";
import { BUDGETS } from "./ledger/self-check.ts";
import { ATTEMPTS } from "./ticket/attempts.ts";
import { ITERATIONS } from "./ticket/index.ts";

/**
 * How often the loops of the built-in pipelines may go round, by the pipeline's name. `roadmap` goes round once per
 * item and tries nothing again; the limits of `phases` are knobs of its policy.
 */
export const LOOP_LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ledger: BUDGETS,
  clusters: { design: 1 + REVISIONS, verification: 1 + REPLANS, review: MOST_ROUNDS },
  ticket: { iterations: ITERATIONS, "attempts of a task": ATTEMPTS },
};
