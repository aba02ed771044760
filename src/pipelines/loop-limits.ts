import { BUDGETS as ledger } from "./ledger/self-check.ts";

/** How often the loops of the built-in pipelines may go round, by the pipeline's name. */
export const LOOP_LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = { ledger };
