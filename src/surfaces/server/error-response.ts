import { z } from "zod";
import { ERRORS, type ErrorCode, SignalboxError } from "../../core/failure/errors.ts";
import { EXIT } from "../../core/failure/exit-codes.ts";
import { toMachineError } from "../../core/failure/machine-failure.ts";
import { REFUSALS, Refusal } from "./refusal.ts";

type ErrorResponse = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Converts every failure to one format: code, message and hint. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof Refusal) {
    const { code, message, hint, more } = error;
    return { status: REFUSALS[code], body: { error: { code, message, hint }, ...more } };
  }
  if (error instanceof z.ZodError) return toErrorResponse(toInvalidRequest(error));
  const known = toMachineError(error) ?? error;
  if (!(known instanceof SignalboxError)) return { status: 500, body: { error: BUG } };
  const { code, message, hint } = known;
  return { status: toHttpStatus(code), body: { error: { code, message, hint } } };
}

export function toInvalidRequest(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  return new Refusal(
    "REQUEST_INVALID",
    `The request is invalid${where ? ` at ${where}` : ""}: ${issue?.message ?? "it cannot be read"}.`,
    "See GET /api/openapi.json.",
  );
}

/** Internal errors are printed in the server's terminal and not sent to the client. */
const BUG = {
  code: "INTERNAL",
  message: "The server could not answer this request.",
  hint: "This is a bug in Signalbox. Please report it with the output of `signalbox ui`.",
};

const UNKNOWN: ReadonlySet<ErrorCode> = new Set(["RUN_UNKNOWN", "APPROVAL_UNKNOWN", "PIPELINE_UNKNOWN", "OBJECT_GONE"]);
const FORBIDDEN: ReadonlySet<ErrorCode> = new Set(["AGENT_IN_CHARGE", "UNTRUSTED"]);
const CONFLICT: ReadonlySet<ErrorCode> = new Set(["APPROVAL_STALE", "RUN_ENDED", "NOTHING_TO_LAND"]);

function toHttpStatus(code: ErrorCode): number {
  if (UNKNOWN.has(code)) return 404;
  if (FORBIDDEN.has(code)) return 403;
  if (CONFLICT.has(code)) return 409;
  const exit = ERRORS[code];
  if (exit === EXIT.usage) return 400;
  return exit === EXIT.environment || exit === EXIT.owned ? 409 : 500;
}
