import { defineRole } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import { toTransientFailure } from "./acting/failures.ts";
import { createReportContract } from "./acting/report.ts";
import { Audit, CodeVerdict, Discovery, Executability, Findings, Mirages } from "./contracts.ts";
import { Proposal } from "./planning/plan.ts";

/** Payload fields for the record of the run; not shown to the agent. */
const RECORD = ["trace_id", "task_id", "expected_output"];
const RECORD_AND_ROUND = [...RECORD, "iteration_index", "max_iterations"];

export const codeMapper = defineRole({
  ...loadRolePrompt(import.meta.url, "code-mapper"),
  untold: RECORD_AND_ROUND,
  contract: Discovery,
});

export const researcher = defineRole({
  ...loadRolePrompt(import.meta.url, "researcher"),
  untold: RECORD_AND_ROUND,
  contract: Findings,
});

export const planner = defineRole({
  ...loadRolePrompt(import.meta.url, "planner"),
  untold: RECORD_AND_ROUND,
  contract: Proposal,
});

export const planAuditor = defineRole({
  ...loadRolePrompt(import.meta.url, "plan-auditor"),
  untold: RECORD,
  contract: Audit,
  revises: ({ status }) => status === "NEEDS_REVISION",
});

export const assumptionVerifier = defineRole({
  ...loadRolePrompt(import.meta.url, "assumption-verifier"),
  untold: RECORD,
  contract: Mirages,
});

export const executabilityVerifier = defineRole({
  ...loadRolePrompt(import.meta.url, "executability-verifier"),
  untold: RECORD_AND_ROUND,
  contract: Executability,
});

export const codeReviewer = defineRole({
  ...loadRolePrompt(import.meta.url, "code-reviewer"),
  untold: RECORD_AND_ROUND,
  contract: CodeVerdict,
  revises: ({ status }) => status === "NEEDS_REVISION",
});

const defineExecutor = (file: string) => {
  const prompt = loadRolePrompt(import.meta.url, file);
  return defineRole({
    ...prompt,
    untold: RECORD_AND_ROUND,
    contract: createReportContract(prompt.name),
    writes: true,
    fails: toTransientFailure,
  });
};

/** Executors that may change files. */
export const EXECUTORS = [
  defineExecutor("core-implementer"),
  defineExecutor("ui-implementer"),
  defineExecutor("platform-engineer"),
  defineExecutor("technical-writer"),
  defineExecutor("browser-tester"),
] as const;

/** Executors of read-only phases: they report, and their changes are discarded. */
export const READERS = ["CodeMapper", "Researcher", "CodeReviewer"] as const;

const SUFFIX = /-subagent$/;

export function findExecutor(name: string | undefined) {
  const plain = (name ?? "").replace(SUFFIX, "");
  return EXECUTORS.find((role) => role.name === plain);
}

/** @rule P-18 (policy) The engine delegates only to agents on the project's roster. */
export function isOnRoster(name: string | undefined): boolean {
  const plain = (name ?? "").replace(SUFFIX, "");
  return findExecutor(plain) !== undefined || READERS.some((reader) => reader === plain);
}
