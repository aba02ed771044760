import { SignalboxError } from "../../core/failure/errors.ts";
import { isLost } from "./tables/failure.ts";

/** Says what went wrong with something that is tried again. */
export type Complain = (about: string, error: unknown) => void;

/** Of a server that is away everybody would say the same, again and again: the outage is told by whoever asks it. */
export function complainer(log: (line: string) => void): Complain {
  return (about, error) => {
    if (!isOutage(error)) log(`${about}: ${String(error)}`);
  };
}

const isOutage = (error: unknown): boolean =>
  isLost(error) || (error instanceof SignalboxError && error.code === "DATABASE_UNREACHABLE");
