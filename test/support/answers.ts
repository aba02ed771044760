import { ledgerScenarios } from "./answers/ledger.ts";
import type { Scenario } from "./answers/scenario.ts";

/** Runs of the built-in pipelines as data: a good one and a failing one each, for walks, replays and crashes. */
export const scenarios: readonly Scenario[] = [...ledgerScenarios];
