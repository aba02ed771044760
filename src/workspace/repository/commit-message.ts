import { addTrailer } from "../../core/text/trailers.ts";

/** Adds a trailer with the run's id. */
export function formatCommitMessage(message: string, run: string): string {
  return `${addTrailer(replaceControls(message), `Signalbox-Run: ${run}`)}\n`;
}

/** Git refuses NUL, and terminals interpret other control characters, so they are replaced. */
function replaceControls(message: string): string {
  return message.replaceAll("\r\n", "\n").replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}
