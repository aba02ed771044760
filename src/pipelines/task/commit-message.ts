import { withoutTrailers } from "../../core/text/trailers.ts";
import { oneLine, shortened, wrapped, wrappedBody } from "../commit-text.ts";
import type { Delivery } from "./roles.ts";

/** Longer than anybody reads in a history. */
const MOST_BODY = 4_000;

/** What the agent says of its change, in the form that histories have: a short first line, the rest below. */
export function commitMessage({ subject, body }: Pick<Delivery, "subject" | "body">): string {
  const whole = oneLine(subject).replace(/\.$/, "");
  const first = shortened(whole);
  const named = first === whole ? "" : wrapped(whole.slice(0, MOST_BODY));
  // Broken first: a line that a break has made may look like a trailer too.
  const said = withoutTrailers(wrappedBody(body.trim().slice(0, MOST_BODY)));
  const rest = [named, said].filter((text) => text !== "");
  return [first, ...rest].join("\n\n");
}
