import { type Wrap, wrap } from "../../surfaces/terminal/wrap.ts";

/** Space at which lines do not wrap; printed as an ordinary space. */
const UNBREAKABLE_SPACE = "\u00a0";

/** Keeps a command on one line, because a wrapped command could not be copied. */
export const unbroken = (command: string): string => command.replaceAll(" ", UNBREAKABLE_SPACE);

/** Protects commands from wrapping: the whole text, or the parts between backticks. */
export const asTold = (help: string): string => (help.includes("`") ? help : unbroken(help));

/** Wraps between words, but never inside a command that is `unbroken` or between backticks. */
export function wrapAround(line: string, to: Wrap): readonly string[] {
  const held = line.replace(/`[^`\n]+`/g, unbroken);
  return wrap(held, to).map((each) => each.replaceAll(UNBREAKABLE_SPACE, " "));
}
