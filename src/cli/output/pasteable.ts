import { type Wrap, wrap } from "../../surfaces/terminal/wrap.ts";

/** A space that no line is broken at; what is printed has an ordinary one there. */
const HELD = "\u00a0";

/** A command as one word: somebody will paste it, and a line that we broke would be two. */
export const unbroken = (command: string): string => command.replaceAll(" ", HELD);

/** What to do, as it is told: a command from end to end, or a sentence in which commands stand between backticks. */
export const asTold = (help: string): string => (help.includes("`") ? help : unbroken(help));

/** Broken between words, never inside a command: those are `unbroken`, or stand between backticks. */
export function wrapAround(line: string, to: Wrap): readonly string[] {
  const held = line.replace(/`[^`\n]+`/g, unbroken);
  return wrap(held, to).map((each) => each.replaceAll(HELD, " "));
}
