import { withTrailer } from "../../core/text/trailers.ts";

/** The message with the run named in its trailers. */
export function messageOf(message: string, run: string): string {
  return `${withTrailer(plain(message), `Signalbox-Run: ${run}`)}\n`;
}

/** Git refuses a NUL, and a terminal obeys the others: each is shown as one that cannot be shown. */
function plain(message: string): string {
  return message.replaceAll("\r\n", "\n").replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}
