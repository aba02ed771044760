import { teamRunSuite } from "./team-run.suite.ts";
import { world as ledger } from "./worlds/ledger.ts";
import { world as roadmap } from "./worlds/roadmap.ts";

await teamRunSuite(
  ledger,
  {
    "*": "codex",
    researcher: "goose",
    reviewer: "goose",
    implementer: "claude",
    planner: "claude",
    evaluator: "gemini",
    designer: "gemini",
  },
  { tests: ["greets loudly", "shouts", "an empty name has no initials"], mended: ["spec", "planner"] },
);

await teamRunSuite(
  roadmap,
  { "*": "codex", Research: "claude", Architect: "claude", Implement: "gemini", Review: "goose" },
  { tests: ["finds notes", "keeps notes"] },
);
