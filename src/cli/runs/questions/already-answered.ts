import { SignalboxError } from "../../../core/failure/errors.ts";
import type { EarlierAnswer } from "../../../core/ports/host.ts";
import { toOneLine } from "../../../surfaces/terminal/clean-text.ts";
import { formatTime } from "../../../surfaces/terminal/duration.ts";

/** Formats `already answered: keep by ada at 15:04`. */
export function formatEarlierAnswer({ choice, by, at }: EarlierAnswer, now: number): string {
  return `already answered: ${toOneLine(choice)} by ${toOneLine(by)} at ${formatTime(at, now)}`;
}

type LateAnswer = { readonly approval: string; readonly earlier: EarlierAnswer; readonly now: number };

export function createAlreadyAnsweredError({ approval, earlier, now }: LateAnswer): SignalboxError {
  return new SignalboxError(
    "APPROVAL_STALE",
    `Question ${approval} is ${formatEarlierAnswer(earlier, now)}.`,
    "The earlier answer counts and yours was dropped. List open questions with `signalbox inbox`.",
  );
}
