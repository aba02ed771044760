import { teamRunSuite } from "./team-run.suite.ts";
import { CLUSTERS, PHASES, TICKET } from "./worlds/others.ts";

const OUTCOME = { tests: ["what was there is still there"] };

await teamRunSuite(
  PHASES,
  { "*": "codex", Planner: "claude", CoreImplementer: "gemini", PlanAuditor: "goose", CodeReviewer: "goose" },
  OUTCOME,
);

await teamRunSuite(TICKET, { "*": "claude", Planner: "gemini", Reviewer: "goose", Initializer: "codex" }, OUTCOME);

await teamRunSuite(
  CLUSTERS,
  { "*": "goose", implementer: "codex", researcher: "claude", planner: "claude", spec: "gemini" },
  OUTCOME,
);
