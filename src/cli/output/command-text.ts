import { type WrapOptions, wrapLine } from "../../surfaces/terminal/wrap.ts";

/** Space at which lines do not wrap; printed as an ordinary space. */
const UNBREAKABLE_SPACE = "\u00a0";

/** Keeps a command on one line, because a wrapped command could not be copied. */
export const keepUnbroken = (command: string): string => command.replaceAll(" ", UNBREAKABLE_SPACE);

/** Protects commands from wrapping: the whole text, or the parts between backticks. */
export const formatFix = (help: string): string => (help.includes("`") ? help : keepUnbroken(help));

/** Wraps between words, but never inside a command that is `unbroken` or between backticks. */
export function wrapCommandText(line: string, to: WrapOptions): readonly string[] {
  const held = line.replace(/`[^`\n]+`/g, keepUnbroken);
  return wrapLine(held, to).map((each) => each.replaceAll(UNBREAKABLE_SPACE, " "));
}
