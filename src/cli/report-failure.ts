import { ERRORS, SignalboxError } from "../core/failure/errors.ts";
import { EXIT } from "../core/failure/exit-codes.ts";
import { toMachineError } from "../core/failure/machine-failure.ts";
import { formatJsonLine } from "../core/text/json-line.ts";
import { createRedactor } from "./secrets/redactor.ts";

const redact = createRedactor(process.env);

/** Reports an error in the requested format, with secrets redacted. Returns the exit code. */
export function reportFailure(error: unknown, json: boolean): number {
  const shownError = toMachineError(error) ?? error;
  if (shownError instanceof SignalboxError && shownError.code !== "INTERNAL") return printUserError(shownError, json);
  return printBug(error, json);
}

function printUserError(error: SignalboxError, json: boolean): number {
  const { code } = error;
  const [message, hint] = [redact(error.message), redact(error.hint)];
  if (json) process.stdout.write(`${formatJsonLine({ v: 1, type: "error", code, message, hint })}\n`);
  else process.stderr.write(`error: ${message}\nhint: ${hint}\n`);
  return ERRORS[code];
}

const REPORT = "This is a bug in signalbox. Please report it with the output above.";

function printBug(error: unknown, json: boolean): number {
  const message = redact(error instanceof Error ? error.message : String(error));
  process.stderr.write(`${error instanceof Error ? redact(error.stack ?? message) : message}\n`);
  if (json)
    process.stdout.write(`${formatJsonLine({ v: 1, type: "error", code: "INTERNAL", message, hint: REPORT })}\n`);
  else process.stderr.write(`hint: ${REPORT}\n`);
  return EXIT.bug;
}
