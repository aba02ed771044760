import { withoutTrailers } from "../../core/text/trailers.ts";
import { collapseWhitespace, shortenSubject, wrapBody, wrapText } from "../commit-text.ts";
import type { Delivery } from "./roles.ts";

/** Longest body of a commit message. */
const MOST_BODY = 4_000;

/** Formats the agent's description as a commit message: a short first line, the rest below. */
export function formatTaskCommit({ subject, body }: Pick<Delivery, "subject" | "body">): string {
  const whole = collapseWhitespace(subject).replace(/\.$/, "");
  const first = shortenSubject(whole);
  const named = first === whole ? "" : wrapText(whole.slice(0, MOST_BODY));
  // Wrapped first, because wrapping can create a line that looks like a trailer.
  const said = withoutTrailers(wrapBody(body.trim().slice(0, MOST_BODY)));
  const rest = [named, said].filter((text) => text !== "");
  return [first, ...rest].join("\n\n");
}
