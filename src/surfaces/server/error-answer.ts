import { z } from "zod";
import { ERRORS, type ErrorCode, SignalboxError } from "../../core/failure/errors.ts";
import { EXIT } from "../../core/failure/exit-codes.ts";
import { machineFailure } from "../../core/failure/machine-failure.ts";
import { REFUSALS, Refusal } from "./refusal.ts";

type ErrorAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Every failure in one form: what happened, to what, what to do next. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof Refusal) {
    const { code, message, hint, more } = error;
    return { status: REFUSALS[code], body: { error: { code, message, hint }, ...more } };
  }
  if (error instanceof z.ZodError) return errorAnswer(invalid(error));
  const told = machineFailure(error) ?? error;
  if (!(told instanceof SignalboxError)) return { status: 500, body: { error: BUG } };
  const { code, message, hint } = told;
  return { status: statusOf(code), body: { error: { code, message, hint } } };
}

export function invalid(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  return new Refusal(
    "REQUEST_INVALID",
    `The request is not what this route takes${where ? `, at ${where}` : ""}: ${issue?.message ?? "it cannot be read"}.`,
    "See GET /api/openapi.json.",
  );
}

/** What went wrong inside is for the terminal that the server runs in, not for whoever asked. */
const BUG = {
  code: "INTERNAL",
  message: "The server could not answer this.",
  hint: "This is a bug of signalbox: please report it with what `signalbox ui` printed.",
};

const UNKNOWN: ReadonlySet<ErrorCode> = new Set(["RUN_UNKNOWN", "APPROVAL_UNKNOWN", "PIPELINE_UNKNOWN", "OBJECT_GONE"]);
const FORBIDDEN: ReadonlySet<ErrorCode> = new Set(["AGENT_IN_CHARGE", "UNTRUSTED"]);
const CONFLICT: ReadonlySet<ErrorCode> = new Set(["APPROVAL_STALE", "RUN_ENDED", "NOTHING_TO_LAND"]);

function statusOf(code: ErrorCode): number {
  if (UNKNOWN.has(code)) return 404;
  if (FORBIDDEN.has(code)) return 403;
  if (CONFLICT.has(code)) return 409;
  const exit = ERRORS[code];
  if (exit === EXIT.usage) return 400;
  return exit === EXIT.environment || exit === EXIT.owned ? 409 : 500;
}
