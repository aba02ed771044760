import { clustersScenarios } from "./answers/clusters.ts";
import { ledgerScenarios } from "./answers/ledger.ts";
import { phasesScenarios } from "./answers/phases.ts";
import { roadmapScenarios } from "./answers/roadmap.ts";
import type { Scenario } from "./answers/scenario.ts";
import { taskScenarios } from "./answers/task.ts";
import { ticketScenarios } from "./answers/ticket.ts";

/** Runs of the built-in pipelines as data: passing and failing ones, for walks, replays and crashes. */
export const scenarios: readonly Scenario[] = [
  ...taskScenarios,
  ...roadmapScenarios,
  ...phasesScenarios,
  ...ledgerScenarios,
  ...clustersScenarios,
  ...ticketScenarios,
];
