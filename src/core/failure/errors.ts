import { EXIT } from "./exit-codes.ts";

/**
 * Error that a person can see. Each code has a heading in docs/reference/errors.md. The message says what happened and
 * to what; the hint says what to do next.
 */
export class SignalboxError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  constructor(code: ErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "SignalboxError";
    this.code = code;
    this.hint = hint;
  }
}

/** Exit code of each error code. A code that can only end a run exits with 1, like every failed run. */
export const ERRORS = {
  // invalid input of the user
  USAGE: EXIT.usage,
  INPUT_INVALID: EXIT.usage,
  PIPELINE_UNKNOWN: EXIT.usage,
  RUN_UNKNOWN: EXIT.usage,
  RUN_AMBIGUOUS: EXIT.usage,
  RUN_ENDED: EXIT.usage,
  RUN_AT_REST: EXIT.usage,
  TOO_LATE: EXIT.usage,
  NOTHING_TO_LAND: EXIT.usage,
  NOTHING_TO_ATTEST: EXIT.usage,
  APPROVAL_UNKNOWN: EXIT.usage,
  APPROVAL_STALE: EXIT.usage,
  CHOICE_UNKNOWN: EXIT.usage,
  SCRIPT_INVALID: EXIT.usage,
  PIPELINE_INVALID: EXIT.usage,
  DRIVER_INVALID: EXIT.usage,
  CONFIG_INVALID: EXIT.usage,
  // missing prerequisites of the machine or the repository
  NOT_A_REPOSITORY: EXIT.environment,
  REPOSITORY_EMPTY: EXIT.environment,
  GIT_FAILED: EXIT.environment,
  TOO_MANY_FILES: EXIT.environment,
  FILES_TOO_LARGE: EXIT.environment,
  FOLDER_UNREADABLE: EXIT.environment,
  CHECKOUT_UNREADABLE: EXIT.environment,
  OBJECT_GONE: EXIT.environment,
  REMOTE_UNREACHABLE: EXIT.environment,
  REMOTE_REFUSED: EXIT.environment,
  REMOTE_NOT_A_REPOSITORY: EXIT.environment,
  NO_CHECKS: EXIT.environment,
  CHECK_KILLED: EXIT.environment,
  AGENT_MISSING: EXIT.environment,
  LOGIN_MISSING: EXIT.environment,
  PROGRAM_MISSING: EXIT.environment,
  AGENT_IN_CHARGE: EXIT.environment,
  UNTRUSTED: EXIT.environment,
  SANDBOX_MISSING: EXIT.environment,
  PEER_MISSING: EXIT.environment,
  DATABASE_UNREACHABLE: EXIT.environment,
  REMOTE_MISSING: EXIT.environment,
  NOT_OFFERED: EXIT.environment,
  NOT_APPROVER: EXIT.environment,
  DATABASE_DENIED: EXIT.environment,
  SCHEMA_OLD: EXIT.environment,
  SCHEMA_NEWER: EXIT.environment,
  HEAD_DETACHED: EXIT.environment,
  OPERATION_UNDER_WAY: EXIT.environment,
  CHECKOUT_DIRTY: EXIT.environment,
  CHECKOUT_LOCKED: EXIT.environment,
  BRANCH_MOVED: EXIT.environment,
  FILTER_NEEDED: EXIT.environment,
  CASE_CLASH: EXIT.environment,
  LAND_REFUSED: EXIT.environment,
  PORT_TAKEN: EXIT.environment,
  KEY_UNUSABLE: EXIT.environment,
  PAGE_MISSING: EXIT.environment,
  // ownership of a run
  RUN_OWNED: EXIT.owned,
  FENCED: EXIT.owned,
  // stored data
  DATABASE_DAMAGED: EXIT.damaged,
  DATABASE_NEWER: EXIT.damaged,
  JOURNAL_DAMAGED: EXIT.damaged,
  LEDGER_FORGED: EXIT.damaged,
  DISK_FAILED: EXIT.io,
  // violations of the replay rules: the run stops, its work is retained
  VERB_CONCURRENT: 1,
  VERB_UNAWAITED: 1,
  VERB_OUTSIDE: 1,
  STEP_DIVERGED: 1,
  STEP_CHANGED: 1,
  STEP_UNREACHED: 1,
  VALUE_NOT_JSON: 1,
  END_SWALLOWED: 1,
  BODY_STUCK: 1,
  BODY_THREW: 1,
  PHASE_UNKNOWN: 1,
  PHASE_ORDER: 1,
  PHASE_MISSING: 1,
  ROLE_OUTSIDE_PHASE: 1,
  ROLE_INPUT_INVALID: 1,
  BRANCH_DUPLICATE: 1,
  PLAN_CYCLE: 1,
  COMMIT_REFUSED: 1,
  WRITE_REFUSED: 1,
  LOOP_INVALID: 1,
  RULE_INVALID: 1,
  INTERNAL: EXIT.bug,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/**
 * Returns whether the error is a missing prerequisite of the machine. That is not the run's fault: it is suspended and
 * continues after the problem is fixed.
 */
export function isMachineError({ code }: SignalboxError): boolean {
  return ERRORS[code] === EXIT.environment || ERRORS[code] === EXIT.io;
}
