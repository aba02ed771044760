import { SignalboxError } from "../../core/failure/errors.ts";
import { isConnectionLost } from "./tables/failure.ts";

/** Logs a failure of an operation that will be retried. */
export type LogFailure = (about: string, error: unknown) => void;

/** Skips connection losses: every query sees the same outage, so the outage log reports it once. */
export function createFailureLogger(log: (line: string) => void): LogFailure {
  return (about, error) => {
    if (!isOutage(error)) log(`${about}: ${String(error)}`);
  };
}

const isOutage = (error: unknown): boolean =>
  isConnectionLost(error) || (error instanceof SignalboxError && error.code === "DATABASE_UNREACHABLE");
