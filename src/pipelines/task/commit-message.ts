import { withoutTrailers } from "../../core/text/trailers.ts";
import { oneLine, shortened } from "../commit-text.ts";
import type { Delivery } from "./roles.ts";

/** Longer than anybody reads in a history. */
const MOST_BODY = 4_000;

/** What the agent says of its change, in the form that histories have: a short first line, the rest below. */
export function commitMessage({ subject, body }: Pick<Delivery, "subject" | "body">): string {
  const whole = oneLine(subject).replace(/\.$/, "");
  const first = shortened(whole);
  const said = withoutTrailers(body.trim().slice(0, MOST_BODY));
  const rest = [first === whole ? "" : whole.slice(0, MOST_BODY), said].filter((text) => text !== "");
  return [first, ...rest].join("\n\n");
}
