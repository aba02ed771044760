import { teamRunSuite } from "./team-run.suite.ts";
import { world as ledger } from "./worlds/ledger.ts";
import { world as roadmap } from "./worlds/roadmap.ts";

await teamRunSuite(
  ledger,
  { "*": "codex", researcher: "goose", spec: "goose", reviewer: "goose", knowledge: "goose" },
  { tests: ["greets loudly", "shouts", "an empty name has no initials"], mended: ["spec", "planner"] },
);

await teamRunSuite(
  roadmap,
  { "*": "codex", Implement: "goose", Research: "goose" },
  { tests: ["finds notes", "keeps notes"] },
);
