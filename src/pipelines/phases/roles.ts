import { defineRole } from "../../core/authoring/role.ts";
import { passingFailure } from "./acting/failures.ts";
import { executionReport } from "./acting/report.ts";
import { Audit, Discovery, Executability, Findings, Mirages, Verdict } from "./contracts.ts";
import { Proposal } from "./planning/plan.ts";
import { assumptionVerifier as assumptionVerifierPrompt } from "./prompts/assumption-verifier.ts";
import { browserTester as browserTesterPrompt } from "./prompts/browser-tester.ts";
import { codeMapper as codeMapperPrompt } from "./prompts/code-mapper.ts";
import { codeReviewer as codeReviewerPrompt } from "./prompts/code-reviewer.ts";
import { coreImplementer as coreImplementerPrompt } from "./prompts/core-implementer.ts";
import { executabilityVerifier as executabilityVerifierPrompt } from "./prompts/executability-verifier.ts";
import { planAuditor as planAuditorPrompt } from "./prompts/plan-auditor.ts";
import { planner as plannerPrompt } from "./prompts/planner.ts";
import { platformEngineer as platformEngineerPrompt } from "./prompts/platform-engineer.ts";
import { researcher as researcherPrompt } from "./prompts/researcher.ts";
import { technicalWriter as technicalWriterPrompt } from "./prompts/technical-writer.ts";
import { uiImplementer as uiImplementerPrompt } from "./prompts/ui-implementer.ts";

/** Payload fields for the record of the run; not shown to the agent. */
const RECORD = ["trace_id", "task_id", "expected_output"];
const RECORD_AND_ROUND = [...RECORD, "iteration_index", "max_iterations"];

export const codeMapper = defineRole({
  name: "CodeMapper",
  does: "Finds the files and symbols that a task will touch; read-only.",
  prompt: codeMapperPrompt,
  untold: RECORD_AND_ROUND,
  contract: Discovery,
});

export const researcher = defineRole({
  name: "Researcher",
  does: "Collects the facts needed for planning, each with file and line, and sets the scope.",
  prompt: researcherPrompt,
  untold: RECORD_AND_ROUND,
  contract: Findings,
});

export const planner = defineRole({
  name: "Planner",
  does: "Writes the plan: phases in waves with executors, files, tests and acceptance criteria.",
  prompt: plannerPrompt,
  untold: RECORD_AND_ROUND,
  contract: Proposal,
});

export const planAuditor = defineRole({
  name: "PlanAuditor",
  does: "Finds reasons why the plan would fail, and scores it.",
  prompt: planAuditorPrompt,
  untold: RECORD,
  contract: Audit,
  revises: ({ status }) => status === "NEEDS_REVISION",
});

export const assumptionVerifier = defineRole({
  name: "AssumptionVerifier",
  does: "Checks every claim of the plan about the code base against the code base.",
  prompt: assumptionVerifierPrompt,
  untold: RECORD,
  contract: Mirages,
});

export const executabilityVerifier = defineRole({
  name: "ExecutabilityVerifier",
  does: "Simulates the first tasks of the plan as a newcomer and reports where it gets stuck.",
  prompt: executabilityVerifierPrompt,
  untold: RECORD_AND_ROUND,
  contract: Executability,
});

export const codeReviewer = defineRole({
  name: "CodeReviewer",
  does: "Reviews finished work and confirms each serious issue in the code before it blocks.",
  prompt: codeReviewerPrompt,
  untold: RECORD_AND_ROUND,
  contract: Verdict,
  revises: ({ status }) => status === "NEEDS_REVISION",
});

type ExecutorSpec = { readonly name: string; readonly does: string; readonly prompt: string };

const executor = (spec: ExecutorSpec) =>
  defineRole({
    ...spec,
    untold: RECORD_AND_ROUND,
    contract: executionReport(spec.name),
    writes: true,
    fails: passingFailure,
  });

/** Executors that may change files. */
export const EXECUTORS = [
  executor({
    name: "CoreImplementer",
    does: "Implements one phase of back-end work test-first, within the phase's files.",
    prompt: coreImplementerPrompt,
  }),
  executor({
    name: "UIImplementer",
    does: "Implements one phase of user interface, usable by keyboard and on small screens.",
    prompt: uiImplementerPrompt,
  }),
  executor({
    name: "PlatformEngineer",
    does: "Changes build, delivery or infrastructure in one phase, with a rollback.",
    prompt: platformEngineerPrompt,
  }),
  executor({
    name: "TechnicalWriter",
    does: "Writes or updates the documents that one phase names.",
    prompt: technicalWriterPrompt,
  }),
  executor({
    name: "BrowserTester",
    does: "Drives the running application through the scenarios of one phase.",
    prompt: browserTesterPrompt,
  }),
] as const;

/** Executors of read-only phases: they report, and their changes are discarded. */
export const READERS = ["CodeMapper", "Researcher", "CodeReviewer"] as const;

const SUFFIX = /-subagent$/;

export function executorOf(name: string | undefined) {
  const plain = (name ?? "").replace(SUFFIX, "");
  return EXECUTORS.find((role) => role.name === plain);
}

/** @rule P-18 (policy) The engine delegates only to agents on the project's roster. */
export function isOnRoster(name: string | undefined): boolean {
  const plain = (name ?? "").replace(SUFFIX, "");
  return executorOf(plain) !== undefined || READERS.some((reader) => reader === plain);
}
